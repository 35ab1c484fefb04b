// File names: the name and media type of a fetched file, used if the config does not set them.

const NAME_CHARS_MAX = 255;

/**
 * Returns the name in a Content-Disposition header (RFC 6266). The parameter filename* takes precedence over filename.
 */
export function fileNameIn(disposition: string | null): string | null {
  if (disposition === null) return null;
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  const named = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition);
  return (
    safeName(extended === undefined ? "" : decoded(extended)) ??
    safeName(named?.[1]?.replaceAll(/\\(.)/g, "$1") ?? named?.[2] ?? "")
  );
}

/** Returns the last segment of a URL's path or of a key in the bucket. */
export function nameInPath(path: string): string | null {
  return safeName(decoded(path));
}

/** Returns the media type without its parameters; null if the header is not a media type. */
export function mediaType(header: string | null): string | null {
  const type = header?.split(";")[0]?.trim().toLowerCase() ?? "";
  return /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type) ? type : null;
}

/**
 * Returns the name without folders and control characters, because mail programs create files with this name. Returns
 * null if nothing remains.
 */
function safeName(name: string): string | null {
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
