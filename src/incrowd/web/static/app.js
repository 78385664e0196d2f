// What pages do beyond forms: progress as it comes, previews while one types, files dropped in. No eval, no request out.
"use strict";

/** Show how far a piece of work is, and load the page that follows when it has ended. */
function follow(box) {
  const source = new EventSource(box.dataset.work);
  source.onmessage = (message) => {
    const told = JSON.parse(message.data);
    for (const place of box.querySelectorAll("[data-told]")) {
      const words = told[place.dataset.told];
      if (words !== undefined && place.textContent !== words) place.textContent = words;
    }
    if (told.state === "working") return;
    source.close();
    if (told.state === "done" && box.dataset.then) location.assign(box.dataset.then);
    else location.reload();
  };
}

/** Put a part of a page, which the server made and escaped, into its place. */
async function put(place, address, form) {
  place.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(address, { method: "POST", body: form, credentials: "same-origin" });
    if (answer.ok) place.innerHTML = await answer.text();
    else place.textContent = "That did not work; reload the page.";
  } catch {
    place.textContent = "incrowd serve does not answer any more.";
  }
  place.removeAttribute("aria-busy");
}

/** Show the levels of a hierarchy as its form says it. */
function preview(form) {
  const place = form.parentElement.querySelector(".levels");
  let waiting = 0;
  const show = () => put(place, form.dataset.preview, new URLSearchParams(new FormData(form)));
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(show, 300);
  });
  return show;
}

/** Show the fields of a form that belong to the kind that is chosen, and no others. */
function fitting(form) {
  const kind = form.querySelector("[name=kind]");
  const show = () => {
    for (const part of form.querySelectorAll("[data-for]")) part.hidden = part.dataset.for !== kind.value;
  };
  kind.addEventListener("input", show);
  show();
}

/** Show what every form says by now, one after the other. */
async function previews(forms) {
  for (const show of forms.map(preview)) await show();
}

function fetched(button) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const form = new URLSearchParams();
    if (button.dataset.column) form.set("column", button.dataset.column);
    put(button.parentElement.querySelector(".shown"), button.dataset.fetch, form);
  });
}

function copied(button) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.parentElement.querySelector("code").textContent);
    button.textContent = "Copied";
  });
}

/** Take a file that is dropped, and open it at once. */
function dropped(form) {
  const slot = form.querySelector("input[type=file]");
  for (const kind of ["dragover", "dragenter"]) {
    form.addEventListener(kind, (event) => {
      event.preventDefault();
      form.classList.add("over");
    });
  }
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("over");
    if (event.dataTransfer.files.length !== 1) return;
    slot.files = event.dataTransfer.files;
    form.requestSubmit();
  });
}

document.querySelectorAll("[data-work]").forEach(follow);
document.querySelectorAll("[data-preview]").forEach(fitting);
previews([...document.querySelectorAll("[data-preview]")]);
document.querySelectorAll("[data-fetch]").forEach(fetched);
document.querySelectorAll("[data-load]").forEach((place) => put(place, place.dataset.load, new URLSearchParams()));
document.querySelectorAll("[data-copy]").forEach(copied);
document.querySelectorAll("[data-drop]").forEach(dropped);
for (const form of document.querySelectorAll("form[method=post]")) {
  form.addEventListener("submit", () => {
    for (const button of form.querySelectorAll("button:not([type=button])")) button.setAttribute("aria-disabled", "true");
  });
}
