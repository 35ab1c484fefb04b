// Reference text: renders the Markdown subset of descriptions as HTML.
import { html } from "hono/html";

export function paragraphs(text: string) {
  return text
    .split("\n\n")
    .filter(Boolean)
    .map((part) => html`<p>${inline(part)}</p>`);
}

export function inline(text: string) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith("`")) return html`<code>${part.slice(1, -1)}</code>`;
    return part.startsWith("**") ? html`<strong>${part.slice(2, -2)}</strong>` : part;
  });
}
