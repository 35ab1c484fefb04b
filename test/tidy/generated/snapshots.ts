// The files that `npm run texts` writes, with their content: made from the sources and from the API's description.
import { read, sources, under } from "../tree.ts";
import { ACTION_FIELDS, actionFieldsPage } from "./action-fields-page.ts";
import { contractOf } from "./contract.ts";
import { apiDocument } from "./operations.ts";
import { ENDPOINTS, endpointsPage, ERRORS, errorsPage } from "./reference-pages.ts";
import { textsOf } from "./user-texts.ts";

export const COMMAND = "npm run texts";

/** Folders whose texts users see. */
const SHOWN = ["src", "durable-objects", "sandbox"];
const ABOUT = `Every text that users see, file by file, in the order in which each file has them. Written by \`${COMMAND}\`.`;

/** By path. */
export function snapshots(): { readonly [path: string]: string } {
  return {
    "test/golden/texts.txt": allTexts(),
    "test/golden/openapi.json": contractOf(apiDocument()),
    [ERRORS]: errorsPage(),
    [ENDPOINTS]: endpointsPage(),
    [ACTION_FIELDS]: actionFieldsPage(),
  };
}

function allTexts(): string {
  const files = sources.filter((path) => SHOWN.some((folder) => under(folder)(path))).toSorted();
  const blocks = files.flatMap((path) => {
    const texts = textsOf(read(path));
    return texts.length === 0 ? [] : [[path, ...texts.map((text) => `  ${text}`)].join("\n")];
  });
  return `${[ABOUT, ...blocks].join("\n\n")}\n`;
}
