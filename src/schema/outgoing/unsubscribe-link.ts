// Unsubscribe links: the name by which an e-mail inserts its link, and the path that the link calls.

/** The name in the templates of an e-mail: `{{ unsubscribe_url }}`. */
export const UNSUBSCRIBE_URL = "unsubscribe_url";

/** The path of a link, before the token. */
export const UNSUBSCRIBE_PATH = "/u/";

/** The link in rehearsals and previews. It unsubscribes no address, because its token is not valid. */
export const UNSUBSCRIBE_PLACEHOLDER = `https://engine.example${UNSUBSCRIBE_PATH}placeholder`;
