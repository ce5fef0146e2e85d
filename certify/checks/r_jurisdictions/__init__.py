"""Rule packs of jurisdictions, and the tests of their rules."""
