// Signing page of one recipient. The request is refused unless the envelope is sent and has a recipient with the same
// name, e-mail address and clientUserId.
import { z } from "zod";
import type { SandboxEnv } from "../env.ts";
import { asProvider, idFrom, jsonOf, type ProviderImitation } from "../provider.ts";
import { recipientsOf, type Recipient } from "./definition.ts";
import { accountOf, envelopeIn, errorBody, refuse, tokenRefusal } from "./envelopes.ts";

const view = z.looseObject({
  returnUrl: z.url(),
  authenticationMethod: z.string().min(1),
  userName: z.string().min(1),
  email: z.email(),
  clientUserId: z.string().min(1),
  recipientId: z.string().optional(),
});

const showing = (env: SandboxEnv): ProviderImitation => ({
  errorBody,
  perform: async (request, id) => {
    const refusal = tokenRefusal(request);
    if (refusal !== null) return refusal;
    const parsed = view.safeParse(await jsonOf(request));
    if (!parsed.success)
      return refuse(400, "INVALID_REQUEST_BODY", "The request body is missing or improperly formatted.");
    const { origin, pathname } = new URL(request.url);
    const envelope = await envelopeIn(env, accountOf(request), pathname.split("/")[7] ?? "");
    if (envelope === null)
      return refuse(
        404,
        "ENVELOPE_DOES_NOT_EXIST",
        "The envelope specified either does not exist or you have no rights to it.",
      );
    const person = recipientsOf(envelope).find((each) => isRequested(each, parsed.data));
    if (person === undefined || envelope.status !== "sent")
      return refuse(
        400,
        "UNKNOWN_ENVELOPE_RECIPIENT",
        "The recipient you have identified is not a valid recipient of the specified envelope.",
      );
    const page = await idFrom(`view ${envelope.envelopeId} ${person.recipientId} ${id}`);
    return Response.json({ url: `${origin}/docusign/Signing/${page}` }, { status: 201 });
  },
});

function isRequested(person: Recipient, request: z.infer<typeof view>): boolean {
  return (
    person.email === request.email &&
    person.name === request.userName &&
    person.clientUserId === request.clientUserId &&
    (request.recipientId ?? person.recipientId) === person.recipientId
  );
}

export const docusignView = (request: Request, env: SandboxEnv) => asProvider(request, env, showing(env));
