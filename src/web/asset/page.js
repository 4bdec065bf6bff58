// Adds comfort; every page works without script.
"use strict";

// A form is sent only once, even if its button is pressed again.
for (const form of document.querySelectorAll("form[method=post]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "yes";
  });
}
// A page from the back-forward cache can be sent again.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

// A button copies a link or the input of a form.
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

// Shows the chosen portrait before it is sent.
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
