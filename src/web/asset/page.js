// Comfort for those whose browser runs it; every page works without.
"use strict";

// A form is sent once, however often its button is pressed.
for (const form of document.querySelectorAll("form[method=post]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "yes";
  });
}
// A page that comes back out of the browser's memory can be sent again.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

// A link, or what somebody typed, can be copied with one button.
if (navigator.clipboard) {
  for (const shown of document.querySelectorAll("[data-copy]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy quiet";
    button.textContent = shown.dataset.copy;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(shown.textContent);
      button.textContent = shown.dataset.copied;
    });
    shown.after(button);
  }
}

// The portrait that was chosen is shown before it is sent.
for (const input of document.querySelectorAll("input[type=file][data-preview]")) {
  const image = document.getElementById(input.dataset.preview);
  input.addEventListener("change", () => {
    const file = input.files && input.files[0];
    if (!image || !file || !/^image\/(jpeg|png|webp|gif)$/.test(file.type)) return;
    if (image.src.startsWith("blob:")) URL.revokeObjectURL(image.src);
    image.src = URL.createObjectURL(file);
    image.hidden = false;
  });
}
