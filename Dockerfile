# Docker image of Winnow. See docs/operations/install.md. No test builds it: tools/run/docker.test.mjs only
# reads this file.

FROM node:24-slim AS manifests
# Keeps npm versions that do not know allowScripts from downloading CUDA libraries.
ENV ONNXRUNTIME_NODE_INSTALL=skip
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/analysis/package.json packages/analysis/
COPY packages/contract/package.json packages/contract/
COPY packages/emulators/package.json packages/emulators/
COPY packages/passwords/package.json packages/passwords/
COPY packages/server/package.json packages/server/
COPY packages/web/package.json packages/web/
COPY tools/package.json tools/
COPY e2e/package.json e2e/

FROM manifests AS web
RUN npm ci --workspace packages/web --workspace packages/contract --workspace packages/passwords --include=dev
COPY tsconfig.base.json ./
COPY packages/contract packages/contract
COPY packages/passwords packages/passwords
COPY packages/web packages/web
RUN cd packages/web && node build.ts dist

FROM manifests AS dependencies
RUN npm ci --workspace packages/server --omit=dev

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=65536
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=dependencies /app ./
COPY packages/contract packages/contract
COPY packages/passwords packages/passwords
COPY packages/analysis packages/analysis
COPY packages/server packages/server
COPY --from=web /app/packages/web/dist packages/web/dist
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=4", "packages/server/src/main.ts"]
CMD ["start"]
