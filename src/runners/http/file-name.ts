// File names: the name and type of a fetched file, if the config does not set them.

const NAME_CHARS_MAX = 255;

/** From a Content-Disposition header (RFC 6266): filename* before filename. */
export function fileNameIn(disposition: string | null): string | null {
  if (disposition === null) return null;
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  const named = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition);
  return (
    clean(extended === undefined ? "" : decoded(extended)) ??
    clean(named?.[1]?.replaceAll(/\\(.)/g, "$1") ?? named?.[2] ?? "")
  );
}

/** The last segment of a path, in an address or a key. */
export function nameInPath(path: string): string | null {
  return clean(decoded(path));
}

/** Without its parameters; null if it is not a media type. */
export function mediaType(header: string | null): string | null {
  const type = header?.split(";")[0]?.trim().toLowerCase() ?? "";
  return /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type) ? type : null;
}

/** A name without a path, on one line: mail programs write it to disks. */
function clean(name: string): string | null {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const plain = last.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "").trim();
  return /^\.*$/.test(plain) ? null : [...plain].slice(-NAME_CHARS_MAX).join("");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
