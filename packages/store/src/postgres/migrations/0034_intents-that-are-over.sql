-- What was prepared for a signature that is made, or never will be, is read by nobody: it goes as soon as that is so, and here goes
-- what was left before.
delete from signing_intent i using signature s, signature_request r
 where s.id = i.signature_id and r.id = s.request_id and (s.state <> 'open' or r.status not in ('DRAFT', 'OPEN'));
