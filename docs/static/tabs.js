// A chosen tab is chosen in the other sets of a page, and on the next page.
addEventListener("DOMContentLoaded", () => {
  const tabs = [...document.querySelectorAll(".tabs > input")];
  const choose = (value) => tabs.forEach((tab) => { if (tab.value === value) tab.checked = true; });
  choose(localStorage.getItem("tab"));
  for (const tab of tabs) {
    tab.addEventListener("change", () => {
      const place = () => tab.nextElementSibling.getBoundingClientRect().top;
      const before = place();
      choose(tab.value);
      scrollBy(0, place() - before);
      localStorage.setItem("tab", tab.value);
    });
  }
});
