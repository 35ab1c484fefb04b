// What to do about an HTTP status that no runner knew more of, and about calls that got no answer.
import { again, archive, once, type Fixes } from "./entry.ts";

export const httpFixes: Fixes = {
  http_400: once("The receiver found fault with the request: its answer says what. Retry with the config put right."),
  http_404: once("There is nothing at this address: check the URL, then retry with it put right."),
  http_409: once("The receiver says that it conflicts with what is there, perhaps an earlier try: look, then decide."),
  http_410: archive("What stood at this address is gone for good. Archive it, or retry with another address."),
  http_413: once("The receiver takes less than was sent: retry with a smaller payload."),
  http_422: once("The receiver understood the request and refused its content. Retry with the config put right."),
  http_502: again("A gateway had no answer. Whether the receiver acted is unknown: look at repeatSafe, then retry."),
  http_504: again("A gateway waited in vain. Whether the receiver acted is unknown: look at repeatSafe, then retry."),
  deadline: again(
    "Nobody answered within the action's timeout. Look at repeatSafe, then retry; if it happens again, raise the timeout.",
  ),
  connection: again("The connection failed. Check that the host is up and its name right, then retry."),
  egress_refused: once("The address may not be called from here (private, not https, or not allowed): change the URL."),
};
