// Outputs in HTML attributes without quotes, such as <a href={{ url }}>: finds them. A space in the value ends the
// attribute and can start another, such as onclick. Escaping does not prevent this.

export type UnquotedOutput = { readonly written: string; readonly line: number };

/**
 * The place of a character in the HTML. text: outside of tags. name: inside a tag. equals: after "=". value: in a value
 * without quotes. A quote character: in a value with this quote.
 */
type HtmlPlace = "text" | "name" | "equals" | "value" | '"' | "'";

export function unquotedOutputs(html: string): readonly UnquotedOutput[] {
  const found: UnquotedOutput[] = [];
  let place: HtmlPlace = "text";
  let line = 1;
  for (const piece of piecesOf(html)) {
    const isOutput = piece.startsWith("{{");
    if (isOutput && (place === "equals" || place === "value")) found.push({ written: piece.slice(0, 100), line });
    if (isOutput) place = place === "equals" ? "value" : place;
    else if (!piece.startsWith("{%") && !piece.startsWith("<!--")) place = placeAfter(place, piece);
    line += piece.split("\n").length - 1;
  }
  return found;
}

const ENCLOSING_MARKS = [
  ["{{", "}}"],
  ["{%", "%}"],
  ["<!--", "-->"],
] as const;
const TAG = /<\/?[a-z]/iy;

/**
 * The pieces of an HTML text: Liquid outputs and tags, comments, starts of tags, and single characters. If a piece has
 * no end, the rest of the text is searched for that end only once.
 */
function* piecesOf(html: string): Generator<string> {
  const endless = new Set<string>();
  const enclosedAt = (at: number): string | null => {
    for (const [open, close] of ENCLOSING_MARKS) {
      if (!html.startsWith(open, at) || endless.has(open)) continue;
      const end = html.indexOf(close, at + open.length);
      if (end !== -1) return html.slice(at, end + close.length);
      endless.add(open);
    }
    return null;
  };
  for (let at = 0; at < html.length;) {
    TAG.lastIndex = at;
    const piece = enclosedAt(at) ?? TAG.exec(html)?.[0] ?? html.charAt(at);
    yield piece;
    at += piece.length;
  }
}

function placeAfter(place: HtmlPlace, piece: string): HtmlPlace {
  const isBlank = /^\s$/.test(piece);
  switch (place) {
    case "text":
      return piece.startsWith("<") && piece.length > 1 ? "name" : "text";
    case '"':
    case "'":
      return piece === place ? "name" : place;
    case "name":
      return piece === ">" ? "text" : piece === "=" ? "equals" : piece === '"' || piece === "'" ? piece : "name";
    case "equals":
      return piece === ">" ? "text" : isBlank ? "equals" : piece === '"' || piece === "'" ? piece : "value";
    case "value":
      return piece === ">" ? "text" : isBlank ? "name" : "value";
  }
}
