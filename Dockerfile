# Any image with Node 24 and npm. The last stage takes from it Node itself and the libraries that Node loads, and nothing else.
ARG NODE_IMAGE=node:24-bookworm-slim

# No step needs a shell, so that whatever brings Node and npm will do.
FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN ["npm", "ci"]
COPY . .
RUN ["node", "tools/build.ts"]
# hadolint ignore=DL3059
RUN ["node", "tools/image-root.ts", "/image"]

FROM scratch
COPY --from=build /image/root/ /
# Its store, its socket, SQLite's temporary files: everything else may be read-only.
COPY --from=build --chown=65532:65532 /image/writable/store /var/lib/fermata
COPY --from=build --chown=65532:65532 /image/writable/socket /run/fermata
COPY --from=build --chown=65532:65532 /image/writable/tmp /tmp
# Makes /var/lib/fermata the default data folder, which a config may still change.
ENV XDG_STATE_HOME=/var/lib
USER 65532:65532
# Half the memory limit of the manifests: Node does not see small cgroups.
ENTRYPOINT ["/usr/local/bin/node", "--max-old-space-size=128", "/app/fermata.js"]
CMD ["serve", "--listen", "127.0.0.1:50551", "--listen", "unix:/run/fermata/fermata.sock"]
