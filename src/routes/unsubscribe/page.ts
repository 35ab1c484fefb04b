// Unsubscribe page: plain HTML without scripts and external resources, for light and dark screens of any width.
import { html, raw } from "hono/html";

/** ask: before the unsubscription. active, suspended: after it, by the state of the sending tenant. */
export type PageKind = "ask" | "active" | "suspended" | "invalid" | "limited" | "unavailable";

type PageText = { readonly title: string; readonly lines: readonly string[]; readonly button: string | null };

function textOf(kind: PageKind, address: string): PageText {
  const done = `${address} will no longer receive these e-mails.`;
  switch (kind) {
    case "ask":
      return { title: "Unsubscribe", lines: [`Stop sending these e-mails to ${address}?`], button: "Unsubscribe" };
    case "active":
      return { title: "You are unsubscribed", lines: [done, "You can close this page."], button: null };
    case "suspended":
      return {
        title: "You are unsubscribed",
        lines: [done, "The sender is suspended and currently sends no messages."],
        button: null,
      };
    case "invalid":
      return {
        title: "This link does not work",
        lines: ["The link is incomplete or not valid.", "Open the link from the e-mail again."],
        button: null,
      };
    case "limited":
    case "unavailable":
      return {
        title: "Please try again in a minute",
        lines: ["The link cannot be opened right now.", "Nothing was changed. Open the link from the e-mail again."],
        button: null,
      };
  }
}

const STYLE = `
:root { color-scheme: light dark; --page: #f6f7f9; --card: #ffffff; --text: #1c2430; --soft: #4d5868; --line: #d9dee6; --button: #1f5fbf; --on-button: #ffffff; }
@media (prefers-color-scheme: dark) { :root { --page: #12161d; --card: #1b212b; --text: #e9edf3; --soft: #b3bdcb; --line: #323b49; --button: #8ab4f8; --on-button: #0d1b30; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--page); color: var(--text); font: 1.0625rem/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 27rem; padding: 2rem 1.75rem; background: var(--card); border: 1px solid var(--line); border-radius: 0.75rem; }
h1 { margin: 0 0 0.75rem; font-size: 1.5rem; line-height: 1.25; }
p { margin: 0 0 0.5rem; color: var(--soft); overflow-wrap: anywhere; }
form { margin: 1.5rem 0 0; }
button { width: 100%; min-height: 3rem; padding: 0.75rem 1rem; border: 0; border-radius: 0.5rem; background: var(--button); color: var(--on-button); font: inherit; font-weight: 600; cursor: pointer; }
button:hover { text-decoration: underline; }
:focus-visible { outline: 3px solid var(--text); outline-offset: 3px; }
`;

export function renderPage(page: { readonly kind: PageKind; readonly address: string; readonly nonce: string }) {
  const { title, lines, button } = textOf(page.kind, page.address);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <style nonce="${page.nonce}">
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${lines.map((line) => html`<p>${line}</p>`)} ${button === null ? "" : formWith(button)}
        </main>
      </body>
    </html>`;
}

/** The form calls the page's own address, which contains the token. */
function formWith(button: string) {
  return html`<form method="post"><button type="submit">${button}</button></form>`;
}
