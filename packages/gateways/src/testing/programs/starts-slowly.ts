// For the tests: a child that has taken most of its processor time before it sees a document that never ends.

import { answerOnce } from "../../pdf/answer.ts"

const takenMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
while (takenMs() < 2000);

answerOnce(async () => {
  for (;;);
})
