// A link that adds another device of the player.
"use strict";
const form = document.querySelector("form"), message = document.querySelector(".message[role=alert]");
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  let told = "The server does not answer. Try again.";
  try {
    const answer = await fetch("/device", { method: "POST", mode: "cors" });
    told = await answer.text();
    if (answer.ok) {
      const link = document.getElementById("link");
      link.href = link.textContent = `${location.origin}/join#${told}`;
      told = "";
    }
  } catch { /* the message says it */ }
  message.textContent = told;
  message.hidden = !told;
});
