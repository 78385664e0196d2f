// What pages do beyond forms: progress as it comes, previews while one types, files dropped in. No eval, no request out.
"use strict";

/** Forms of which something was typed that was not sent. */
const typed = new Set();

/** Say that the server is gone, or that it is there again. */
function gone(yes) {
  const said = document.getElementById("gone");
  if (said && !yes) said.remove();
  if (said || !yes) return;
  const made = document.createElement("div");
  made.id = "gone";
  made.className = "notice no";
  made.setAttribute("role", "alert");
  made.textContent = "incrowd serve does not answer any more. What you typed is still here; start it again in the shell.";
  document.getElementById("main").prepend(made);
  made.scrollIntoView();
}

/** Send a form once the server has answered: else the page stays, with what was typed. */
function sent(form) {
  form.addEventListener("submit", async (event) => {
    if (form.dataset.sending) return;
    event.preventDefault();
    try {
      await fetch("/static/icon.svg", { cache: "no-store" });
    } catch {
      gone(true);
      return;
    }
    gone(false);
    typed.delete(form);
    form.dataset.sending = "yes";
    form.requestSubmit(event.submitter);
    for (const button of form.elements) if (button.type === "submit") button.setAttribute("aria-disabled", "true");
  });
}

/** Show how far a piece of work is, and load the page that follows when it has ended. */
function follow(box) {
  const source = new EventSource(box.dataset.work);
  const bar = box.querySelector("progress");
  source.onerror = () => {
    bar.hidden = true;
    gone(true);
  };
  source.onmessage = (message) => {
    const told = JSON.parse(message.data);
    bar.hidden = false;
    gone(false);
    for (const place of box.querySelectorAll("[data-told]")) {
      const words = told[place.dataset.told];
      if (words !== undefined && place.textContent !== words) place.textContent = words;
    }
    if (told.state === "working") return;
    source.close();
    if (typed.size) box.querySelector("[role=status]").textContent = "Done. Keep what you typed, and the page shows it.";
    else if (told.state === "done" && box.dataset.then) location.assign(box.dataset.then);
    else location.reload();
  };
}

/** Put a part of a page, which the server made and escaped, into its place. */
async function put(place, address, form) {
  place.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(address, { method: "POST", body: form, credentials: "same-origin" });
    if (answer.ok && !answer.redirected) place.innerHTML = await answer.text();
    else place.textContent = "That did not work; reload the page.";
  } catch {
    place.textContent = "incrowd serve does not answer any more.";
  }
  place.removeAttribute("aria-busy");
}

/** Show the levels of a hierarchy as its fields say it. */
function preview(form) {
  const place = form.parentElement.querySelector(".levels");
  let waiting = 0;
  const show = () => {
    const said = new URLSearchParams({ column: form.dataset.column });
    for (const one of form.querySelectorAll("[data-part]")) {
      if (one.type !== "checkbox" || one.checked) said.set(one.dataset.part, one.value);
    }
    return put(place, form.dataset.preview, said);
  };
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(show, 300);
  });
  return show;
}

/** Show the fields of a column that belong to the kind that is chosen, and no others. */
function fitting(form) {
  const kind = form.querySelector("[data-part=kind]");
  const show = () => {
    for (const part of form.querySelectorAll("[data-for]")) part.hidden = part.dataset.for !== kind.value;
  };
  kind.addEventListener("input", show);
  show();
}

/** Show what every column says by now, one after the other. */
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

const all = (kind) => [...document.querySelectorAll(kind)];

all("[data-work]").forEach(follow);
all("[data-preview]").forEach(fitting);
previews(all("[data-preview]"));
all("[data-fetch]").forEach(fetched);
all("[data-load]").forEach((place) => put(place, place.dataset.load, new URLSearchParams()));
all("[data-copy]").forEach(copied);
all("[data-drop]").forEach(dropped);
all("form[method=post]").forEach(sent);
document.addEventListener("input", (event) => {
  if (event.target.form) typed.add(event.target.form);
});
addEventListener("beforeunload", (event) => {
  if (typed.size) event.preventDefault();
});
addEventListener("pageshow", () => {
  for (const form of all("[data-sending]")) delete form.dataset.sending; // the way back
});
