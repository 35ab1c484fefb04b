// Imports of workspaces: which of them leave the workspace, and which files import one.
import { posix } from "node:path";

const IMPORT = /(?:from|import)\s*\(?\s*"([^"]+)"/g;

/** Imports of a workspace's file that lead neither to a package nor into one of the allowed folders. */
export function importsOutside(path: string, text: string, allowed: readonly string[]): readonly string[] {
  return specifiers(text)
    .filter((specifier) => {
      if (specifier.startsWith("#")) return true;
      if (!specifier.startsWith(".")) return false;
      const target = posix.join(posix.dirname(path), specifier);
      return !allowed.some((folder) => target.startsWith(`${folder}/`));
    })
    .map((specifier) => `${path} imports ${specifier}: use the public client instead`);
}

export function isWorkspaceImport(path: string, text: string): boolean {
  return specifiers(text).some((specifier) => {
    const target = specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : specifier;
    return /^(packages\/|dashboard\/|escapement(\/|$))/.test(target);
  });
}

function specifiers(text: string): readonly string[] {
  return [...text.matchAll(IMPORT)].map(([, specifier = ""]) => specifier);
}
