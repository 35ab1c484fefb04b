// Start page of the sandbox, at `/`: describes the sandbox and lists its endpoints.

export const about = () => new Response(page, { headers: { "Content-Type": "text/plain; charset=utf-8" } });

const page = `Escapement sandbox: imitates the HTTP endpoints of providers, for local work and tests only.

Endpoints for any client
  ANY    /sink/<anything>    records the request; answers 200 {"ok":true,"receiptId":"..."}, or as scripted
  ANY    /quick/<anything>   answers 200 {"ok":true} without recording
                             ?status=503&share=0.3        a share of requests gets that status
                             ?delayMs=1000&slowShare=0.05 a share of requests is answered late
  POST   /lists/<name>       the body is the list's next item
  GET    /lists/<name>       {"data":[{"id":"item-1",…}],"next":"1"} ?after=<next>&limit=10&order=oldest|newest; with an
                             ETag; can be scripted to fail

Imitated providers: as a connection's baseUrl, use this address with the prefix of the provider
  POST   /sendgrid/v3/mail/send                     key SG.<anything>; files, send_at, reply_to_list, tracking_settings
  POST   /resend/emails                             key re_<anything>; the same Idempotency-Key gives the same id, and
                                                    409 for another body; files, scheduled_at
  POST   /twilio/2010-04-01/Accounts/<sid>/Messages.json   sid and any token but "wrong"; Twilio's test numbers
  POST   /slack/api/chat.postMessage                token xox<anything>; channels archived…, unknown…
  POST   /slack/services/<anything>                 an incoming webhook; …/revoked
  POST   /d1/client/v4/accounts/<id>/d1/database/<id>/query   any token but "wrong"; a SELECT gives one row of the
                                                    params, p1, p2, …; tables taken (a constraint) and missing
  POST   /libsql/v2/pipeline                        the same
  POST   /push/<subscription>                       a browser's push service; gone…
  POST   /fcm/v1/projects/<project>/messages:send   with a token of /oauth2/token; device tokens gone…
  POST   /docusign/oauth/token                      a signed assertion; integration keys unconsented…, unknown…
  POST   /docusign/restapi/v2.1/accounts/<id>/envelopes   of a template, own documents or layers of both; templates
                                                    unknown…; the same transactionId is the same envelope for 7 days.
                                                    GET lists ?transaction_ids=, or /<envelope>
  POST   …/envelopes/<envelope>/views/recipient     a signing page for a person with a clientUserId
  POST   /oauth2/token                              ?expiresIn=<seconds>; any secret but "wrong"
  ANY    /api/<anything>                            with a token of /oauth2/token; echoes the request

Scripts: how a path answers
  Every recorded path can be scripted. A scripted status without a body gets an error in the provider's format.
  PUT    /_control/scripts   { path, steps: [step], then?: step, everyNth?: { n, step }, ratio?: { share, step } }
                             path is exact ("/sink/a") or a prefix ("/sink/a/*"); exact wins, then the longest prefix
                             step is { status?, delayMs?, body?, headers?, drop?: true }
                             Step i answers attempt i, later ones get "then" (without it: success). Attempts count per
                             path and idempotency key (Idempotency-Key, else webhook-id), and go on counting when a
                             script is replaced. "everyNth" and "ratio" come before the steps. "drop" sends the
                             headers and breaks the connection inside the body.
  GET    /_control/scripts   lists them
  DELETE /_control/scripts   ?path=  clears them

Received requests (path: exact or a prefix as above; default: all)
  GET    /_control/requests  ?path= &key= &limit= &after=    newest last; without "after" the latest ones
  GET    /_control/keys      ?path= &limit= &after=          requests and distinct bodies by idempotency key
  GET    /_control/effects   ?path= &limit= &after= &minKeys= keys by effect (X-Effect header, else path and body);
                             minKeys=2 answers only effects that came under two keys
  DELETE /_control/requests  ?path=  deletes them, and the attempts counted from them

Callbacks
  POST   /_control/hooks     { url, scheme, key, body, id?, headers?, at?, deliver? }  a webhook, signed as github,
                             standard_webhooks, stripe or slack do it, sent to a trigger
  PUT    /_control/callbacks { provider, key, url? }  the target of callbacks of sendgrid, resend or twilio. Messages to
                             bounce@…, complaint@… and delivered@… are then reported automatically, as are those to
                             +15005550010 (undelivered) and +15005550011 (delivered)
  POST   /_control/callbacks { provider, messageId, event, key?, url?, id?, type?, errorCode?, at?, deliver? }  event is
                             delivered, bounced, complained, opened, clicked, unsubscribed, deferred or dropped; for a
                             text message sent, delivered, undelivered, failed or read. url: default of twilio is the
                             message's StatusCallback
  POST   /_control/docusign/callbacks  { account, envelopeId, event, keys: [key], url?, deliver?, reason?,
                             recipientId?, generatedDateTime? }  event is sent, delivered, completed, declined or voided,
                             or the same with recipient- before it (and recipient-autoresponded) for the person with
                             recipientId; signed with each key and sent to url, or to the envelope's
                             eventNotification

  GET    /health
`;
