/**
 * pkcs11js gives the thread of the device the addresses of buffers and does not hold the buffers themselves. So
 * whoever starts the work keeps them until it is done; otherwise the collector might free what is being read.
 */
export async function holding<T>(buffers: Buffer[], work: Promise<T>): Promise<T> {
  try {
    return await work
  } finally {
    buffers.splice(0)
  }
}
