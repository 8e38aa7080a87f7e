# One image for every role: what a process does is decided by ROLES (api, worker).

# With compilers, for the one native addon (pkcs11js).
FROM node:24.21.0-bookworm AS source
WORKDIR /paraph
COPY . .

FROM source AS web
RUN npm ci && npm run build

FROM source AS production
RUN npm ci --omit=dev --workspace @paraph/server --workspace @paraph/cli && rm -rf packages/trust-sandbox

# Node runs the sources as they are (type stripping); of what reads PDFs there is one file beside them, which starts sooner.
FROM node:24.21.0-bookworm-slim
# With twenty of the largest uploads at once: fewer arenas of malloc, 40 MB less; a small nursery, so that what was sent on is
# let go of sooner, 150 MB less for a tenth of the time.
ENV NODE_ENV=production HOST=0.0.0.0 MANAGEMENT_HOST=0.0.0.0 MALLOC_ARENA_MAX=2 NODE_OPTIONS=--max-semi-space-size=8
WORKDIR /paraph
COPY --from=production /paraph/package.json ./
COPY --from=production /paraph/node_modules node_modules
COPY --from=production /paraph/packages packages
COPY --from=production /paraph/openapi openapi
COPY --from=production /paraph/apps/server apps/server
COPY --from=production /paraph/apps/cli apps/cli
COPY --from=web /paraph/packages/gateways/dist packages/gateways/dist
COPY --from=web /paraph/apps/signing/dist apps/signing/dist
COPY --from=web /paraph/apps/console/dist apps/console/dist
# The PKCS#11 module of your HSM is not in here: mount it, and name it in PKCS11_MODULE.
USER node
# 8080 for the world, behind a proxy that speaks TLS; 8081 (health, metrics) for the inside only.
EXPOSE 8080 8081
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8081/management/health/liveness').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/server/src/main.ts"]
