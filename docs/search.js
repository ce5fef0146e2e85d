// The order of search results: guides first, then explanations, then generated lists and the changelog.
var WEIGHTS = [
  [/^contributors\/changelog/, 0.3],
  [/^reference\/(findings|schemas|commands|recount-digest)/, 0.4],
  [/^(how-to|users|tutorial|contributors)\//, 1.5],
];
var Scorer = {
  score: (result) => {
    const found = WEIGHTS.find(([pattern]) => pattern.test(result[0]));
    return result[4] * (found ? found[1] : 1);
  },
  // The values of Sphinx.
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
