"use strict";
// Filters of the cases, and links into folded ones. The page is whole without this script.
for (const block of document.querySelectorAll(".cases")) {
  const form = block.querySelector(".filters");
  if (!form) continue;
  const selects = [...form.querySelectorAll("select")];
  const search = form.querySelector("input");
  const cases = [...block.querySelectorAll(".case")].map((element) => ({
    element,
    tags: JSON.parse(element.dataset.tags),
    text: element.textContent.toLowerCase(),
  }));
  const apply = () => {
    const wanted = selects.filter((select) => select.value);
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { element, tags, text } of cases) {
      const fits =
        wanted.every((select) => (tags[select.dataset.facet] ?? []).includes(select.value)) &&
        words.every((word) => text.includes(word));
      element.hidden = !fits;
      shown += fits;
    }
    form.querySelector("output").value = `${shown} of ${cases.length} ${block.dataset.noun}`;
  };
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply));
  form.hidden = cases.length < 2;
  apply();
}
const unfold = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) {
    target.hidden = false;
    target.open = true;
    target.scrollIntoView();
    target.querySelector("summary").focus({ preventScroll: true });
  }
};
addEventListener("hashchange", unfold);
unfold();
