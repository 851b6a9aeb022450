// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.cluster;

import io.packing.storeservers.ServerKind;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A kind of object store for rounds. */
public enum StoreKind {
    S3(Optional.empty()),
    GOOGLE(Optional.of(ServerKind.FAKE_GCS)),
    AZURE(Optional.of(ServerKind.AZURITE));

    private final Optional<ServerKind> server;

    StoreKind(Optional<ServerKind> server) {
        this.server = server;
    }

    /** Returns the server that stands behind the proxy; empty for our own S3 server. */
    Optional<ServerKind> server() {
        return server;
    }

    /** Returns what to install for this store; empty: its server is here. */
    public Optional<String> missing() {
        return server.filter(kind -> kind.find().isEmpty()).map(ServerKind::howToInstall);
    }

    String location(String prefix) {
        return server.map(kind -> kind.location(prefix)).orElse("s3://%s/%s".formatted(ServerKind.BUCKET, prefix));
    }

    Map<String, String> keys() {
        return server.map(ServerKind::keys)
                .orElse(Map.of("PACKING_S3_ACCESS_KEY", "access", "PACKING_S3_SECRET_KEY", "secret"));
    }

    /** Returns the option that a variable of the environment stands for. */
    static String option(String variable) {
        return variable.toLowerCase(Locale.ROOT).replace('_', '.');
    }
}
