// Adds comfort; every page works without script.
"use strict";

prepare();
// A page from the back-forward cache can be sent again.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) release(form, "");
});

function prepare() {
  document.querySelectorAll("form[method=post]").forEach(sendOnce);
  document.querySelectorAll("main form[method=post]").forEach(keepTyped);
  document.querySelectorAll("#photo").forEach(showChosen);
  document.querySelectorAll(".focal .photo").forEach(choosePoint);
  document.querySelectorAll(".live iframe").forEach(showAsFilledIn);
  document.querySelectorAll(".look").forEach(openCard);
  document.querySelectorAll("textarea[data-chars-max]").forEach(countLeft);
  if (navigator.clipboard) document.querySelectorAll("[data-copy]").forEach(addCopyButton);
  if (navigator.share) document.querySelectorAll("[data-share]").forEach(addShareButton);
  const errors = document.querySelector(".errors");
  if (errors) errors.focus();
}

// A text of the page for this script.
function words(name) {
  return document.querySelector("main").dataset[name] || "";
}

// A form is sent only once, even if its button is pressed again, and says that it is being sent.
function sendOnce(form) {
  const status = document.createElement("p");
  status.className = "sending";
  status.setAttribute("role", "status");
  form.append(status);
  form.addEventListener("submit", (event) => {
    const input = form.querySelector("input[type=file]");
    const file = input && input.files[0];
    if (form.dataset.sent || (file && isTooLarge(input, file))) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "yes";
    status.textContent = words("sending");
    if (!file) return;
    event.preventDefault();
    sendFile(form, status);
  });
}

// Keeps in this tab what was typed and not saved, and fills it in again after a reload or the back button, with the version of the card
// that it was typed for. What was sent is kept too, until a page with another version shows that it arrived.
function keepTyped(form) {
  const place = `typed ${form.action}`;
  const fields = [...form.elements].filter((field) => /^(text|email|url|textarea|radio)$/.test(field.type));
  const versions = [...form.elements].filter((field) => /^(seen|gezien|form_id)$/.test(field.name));
  const kept = [...fields, ...versions];
  const version = kept.findIndex((field) => /^(seen|gezien)$/.test(field.name));
  const names = kept.map((field) => `${field.name} ${field.type}`).join();
  const isChanged = (field) => field.checked !== field.defaultChecked || field.value !== field.defaultValue;
  const value = (field) => (field.type === "radio" ? field.checked : field.value);
  try {
    const found = JSON.parse(sessionStorage.getItem(place));
    const isSaved = found && found.sent && (version < 0 || found.values[version] !== kept[version].value);
    const isShown = found && found.sent && document.querySelector(".errors");
    if (found && found.names === names && !isSaved && !isShown) {
      kept.forEach((field, index) => {
        if (field.type === "radio") field.checked = found.values[index];
        else field.value = found.values[index];
      });
    }
    if (found && fields.some(isChanged)) {
      const told = document.createElement("p");
      told.className = "said";
      told.setAttribute("role", "status");
      told.textContent = words("typed");
      form.prepend(told);
      const around = form.closest("details");
      if (around) around.open = true;
    }
    const keep = (sent) => {
      const text = JSON.stringify({ names, values: kept.map(value), sent });
      if (fields.some(isChanged)) sessionStorage.setItem(place, text);
      else sessionStorage.removeItem(place);
    };
    if (isSaved) sessionStorage.removeItem(place);
    form.addEventListener("input", () => keep(false));
    form.addEventListener("submit", () => keep(true));
  } catch (error) {
    // A browser that keeps nothing.
  }
}

function release(form, told) {
  delete form.dataset.sent;
  form.querySelector(".sending").textContent = told;
}

// Says at its field that a file is too large, before all of it is sent.
function isTooLarge(input, file) {
  const id = `${input.id}-size`;
  const before = document.getElementById(id);
  if (before) before.remove();
  if (file.size <= Number(input.dataset.bytesMax)) return false;
  const message = document.createElement("p");
  message.id = id;
  message.className = "error";
  message.setAttribute("role", "alert");
  message.textContent = input.dataset.tooLarge;
  input.before(message);
  input.setAttribute("aria-invalid", "true");
  input.setAttribute("aria-describedby", id);
  input.focus();
  return true;
}

// Sends a form with a file, and shows how much of it has left. The response is the next page, or a page of errors.
function sendFile(form, status) {
  const progress = document.createElement("progress");
  progress.setAttribute("aria-label", words("sending"));
  status.after(progress);
  const request = new XMLHttpRequest();
  request.responseType = "document";
  request.upload.addEventListener("progress", (event) => {
    if (event.lengthComputable) progress.value = event.loaded / event.total;
  });
  request.addEventListener("load", () => {
    const main = request.response && request.response.querySelector("main");
    if (!main || request.status < 400) {
      location.assign(request.responseURL);
      return;
    }
    document.title = request.response.title;
    document.querySelector("main").replaceWith(main);
    prepare();
  });
  request.addEventListener("error", () => {
    progress.remove();
    release(form, words("unsent"));
  });
  request.open("POST", form.action);
  request.send(new FormData(form));
}

// A button copies a link or the input of a form.
function addCopyButton(shown) {
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

// A button hands an address to the apps of the phone.
function addShareButton(place) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.textContent = place.dataset.share;
  button.addEventListener("click", () => navigator.share({ url: place.dataset.url }).catch(() => {}));
  place.replaceWith(button);
}

// A press on the photo chooses that point of it, in the part that was pressed; the pictures below show the choice.
function choosePoint(photo) {
  const crops = photo.parentElement.querySelectorAll(".crops img");
  const image = photo.querySelector("img");
  // The same rule as in src/web/card/view.rs: the point is in the middle of the frame, as far as the photo reaches.
  const placement = (tenths, length) =>
    length > 1 ? `${Math.min(1, Math.max(0, ((tenths / 10) * length - 0.5) / (length - 1))) * 100}%` : "50%";
  const show = (value) => {
    const [x, y] = value.split(",").map(Number);
    const ratio = image.naturalWidth / image.naturalHeight;
    for (const crop of crops) {
      const length = ratio / (crop.clientWidth / crop.clientHeight);
      crop.style.objectPosition = `${placement(x, length)} ${placement(y, 1 / length)}`;
    }
  };
  photo.addEventListener("click", (event) => {
    const input = event.target.closest("label") && event.target.closest("label").querySelector("input");
    if (!input || !event.detail || event.target === input) return;
    const box = photo.getBoundingClientRect();
    const tenth = (part) => Math.min(10, Math.max(0, Math.round(part * 10)));
    input.value = `${tenth((event.clientX - box.left) / box.width)},${tenth((event.clientY - box.top) / box.height)}`;
    // The button may be chosen already, and then a browser says nothing.
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
  photo.addEventListener("input", (event) => show(event.target.value));
}

// Shows in the frame the card as the form has it. The server renders it and stores nothing; input that it would refuse changes
// nothing.
function showAsFilledIn(frame) {
  const form = document.querySelector("main form");
  let timer = 0;
  let isChanged = false;
  let request = new AbortController();
  // Not on narrow screens unless it is opened, and not before the card is there.
  const isShown = () => frame.offsetWidth > 0 && frame.contentDocument && frame.contentDocument.URL === frame.src;
  const update = async () => {
    if (!isShown()) return;
    request.abort();
    request = new AbortController();
    const fields = [...new FormData(form)].filter(([, value]) => typeof value === "string");
    const sent = { method: "POST", body: new URLSearchParams(fields), signal: request.signal };
    try {
      const answer = await fetch(frame.src, sent);
      if (answer.status !== 200 || answer.redirected) return;
      // By the frame, whose policy allows the style of the card.
      const card = new frame.contentWindow.DOMParser().parseFromString(await answer.text(), "text/html");
      renew(frame.contentDocument.documentElement, card.documentElement);
      scrollToPart();
    } catch (error) {
      // Not sent, or overtaken by the next one: the card stays as it is.
    }
  };
  // Once, when the part that this form fills in is on the card.
  const scrollToPart = () => {
    const part = isShown() && frame.dataset.part && frame.contentDocument.querySelector(frame.dataset.part);
    if (!part) return;
    const page = frame.contentWindow;
    const box = part.getBoundingClientRect();
    if (box.bottom > page.innerHeight) page.scrollBy({ top: box.top - page.innerHeight / 4, behavior: "instant" });
    delete frame.dataset.part;
  };
  frame.addEventListener("load", () => {
    scrollToPart();
    if (isChanged) update();
  });
  frame.closest("dialog").addEventListener("shown", () => {
    if (isChanged) update();
  });
  if (!form || !frame.dataset.pause) return;
  form.addEventListener("input", () => {
    isChanged = true;
    clearTimeout(timer);
    timer = setTimeout(update, Number(frame.dataset.pause));
  });
}

// Makes a part of a document like another, and leaves what is equal as it is, so that pictures and the scroll position stay.
function renew(part, next) {
  if (part.isEqualNode(next)) return;
  const [old, young] = [[...part.childNodes], [...next.childNodes]];
  const isRenewable = part.childElementCount > 0 && old.length === young.length;
  if (isRenewable && part.cloneNode(false).isEqualNode(next.cloneNode(false))) {
    old.forEach((child, index) => renew(child, young[index]));
  } else {
    part.replaceWith(next);
  }
}

// Says how many characters a text may still have. Read aloud only near the end.
function countLeft(area) {
  const count = document.createElement("p");
  count.id = `${area.id}-count`;
  count.className = "hint";
  area.after(count);
  area.setAttribute("aria-describedby", `${area.getAttribute("aria-describedby")} ${count.id}`);
  const show = () => {
    const left = Number(area.dataset.charsMax) - [...area.value.trim()].length;
    count.setAttribute("aria-live", left < 50 ? "polite" : "off");
    count.classList.toggle("error", left < 0);
    count.textContent = (left < 0 ? area.dataset.charsOver : area.dataset.charsLeft).replace("#", Math.abs(left));
  };
  area.addEventListener("input", show);
  show();
}

// On a narrow screen the card as the form has it is one press away.
function openCard(link) {
  const dialog = document.querySelector("dialog.live");
  // An old browser follows the link.
  if (!dialog || !dialog.showModal) return;
  link.addEventListener("click", (event) => {
    event.preventDefault();
    dialog.showModal();
    dialog.dispatchEvent(new Event("shown"));
  });
}

// Shows the chosen portrait before it is sent, to choose its focal point at once. Browsers show no HEIC: the server does that.
function showChosen(input) {
  const fields = document.getElementById("focal_point");
  const hidden = (name) => Object.assign(document.createElement("input"), { type: "hidden", name });
  const [placed, shown, size] = ["placed", "shown", "size"].map((part) => hidden(fields.dataset[part]));
  placed.value = "ja";
  const warnings = document.querySelectorAll("[data-warns]");
  input.addEventListener("change", () => {
    const file = input.files && input.files[0];
    for (const part of [placed, shown, size]) part.remove();
    for (const warning of warnings) warning.hidden = true;
    if (!file || !/^image\/(jpeg|png|webp|gif)$/.test(file.type)) return;
    const address = URL.createObjectURL(file);
    const [image, ...crops] = fields.querySelectorAll("img");
    image.addEventListener("load", () => {
      const ratio = image.naturalWidth / image.naturalHeight;
      fields.querySelectorAll(".whole").forEach((crop) => {
        crop.classList.toggle("tall", ratio < 0.5);
        crop.classList.toggle("wide", ratio > 2);
      });
      const { narrow, wide, small } = fields.dataset;
      const faults = {
        cut: ratio < Number(narrow) || ratio > Number(wide),
        small: Math.max(image.naturalWidth, image.naturalHeight) < Number(small),
      };
      for (const warning of warnings) warning.hidden = !faults[warning.dataset.warns];
      shown.value = address;
      size.value = `${image.naturalWidth}x${image.naturalHeight}`;
      fields.append(placed, shown, size);
      fields.hidden = fields.disabled = false;
      fields.querySelector(":checked").dispatchEvent(new Event("input", { bubbles: true }));
    }, { once: true });
    for (const picture of [image, ...crops]) {
      picture.removeAttribute("width");
      picture.removeAttribute("height");
      picture.src = address;
    }
    fields.querySelectorAll("input[type=radio]").forEach((part, index) => {
      part.value = index === 1 ? "5,2" : `${[1, 5, 9][index % 3]},${[1, 5, 9][Math.floor(index / 3)]}`;
      part.checked = index === 1;
    });
  });
}
