// An invitation link has its code after "#", which browsers do not send to the server.
"use strict";
const form = document.querySelector("form"), message = document.querySelector(".message[role=alert]");
const asksName = form.dataset.asks === "name";
const code = location.hash.slice(1).replace(/[^\w-]/g, "");

async function join(event) {
  if (event) event.preventDefault();
  form.querySelector("button").disabled = true;
  let told = "The server does not answer. Try again.";
  try {
    // "cors" makes the browser name the origin of this page, which the server checks
    const answer = await fetch("/join", { method: "POST", mode: "cors", body: new URLSearchParams(new FormData(form)) });
    if (answer.ok) return location.replace("/");
    told = await answer.text();
  } catch { /* the message says it */ }
  message.textContent = told;
  message.hidden = false;
  form.querySelector("button").disabled = false;
}

form.addEventListener("submit", join);
form.querySelector(".name").hidden = !asksName;
if (code) {
  form.elements.code.value = code;
  history.replaceState(null, "", location.pathname);
}
if (code && !asksName) join();
else (form.elements.code.value ? form.elements.name : form.elements.code).focus();
