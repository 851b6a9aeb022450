// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.registry.access.Access;
import io.packing.registry.access.AccessFiles;
import io.packing.registry.access.BasicAccess;
import io.packing.registry.access.RegistryTokenKeys;
import io.packing.registry.access.TokenAccess;
import io.packing.registry.web.HttpFront;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for a registry's users and for the protection of its connections. */
final class RegistryAccessOptions {
    /** The variable with the keystore's password: every user of the machine sees a command line. */
    static final String PASSWORD_VARIABLE = "PACKING_REGISTRY_KEYSTORE_PASSWORD";

    @Option(
            names = "--users",
            paramLabel = "FILE",
            description =
                    "Users and their passwords, as htpasswd -B writes them. Without it each client may do everything."
                            + " The registry reads it again when it changes, like --rights.")
    private @Nullable Path users;

    @Option(
            names = "--rights",
            paramLabel = "FILE",
            description =
                    "Lines USER REPOSITORIES RIGHTS, such as: alice team/* pull,push. The user * stands for all users. Without it"
                            + " each user may do everything.")
    private @Nullable Path rights;

    @Option(
            names = "--tls-keystore",
            paramLabel = "FILE",
            description = "A PKCS#12 file with key and certificate, whose password is in " + PASSWORD_VARIABLE
                    + "; without it the registry speaks plain HTTP. Read again when it changes.")
    private @Nullable Path keystore;

    @Option(
            names = "--token-keys",
            paramLabel = "FILE",
            description =
                    "Gives clients tokens at /token for their names and passwords. The file has a secret a line, the same for all"
                            + " registries of the store: the first signs, all are trusted.")
    private @Nullable Path tokenKeys;

    @Option(
            names = "--token-realm",
            paramLabel = "URL",
            description =
                    "Where clients find /token, when that is not the address at which they reach the registry, such as behind a"
                            + " proxy that speaks HTTPS.")
    private @Nullable String tokenRealm;

    /** Returns the users and their rights. */
    Access access() throws IOException {
        if (users == null) {
            if (rights != null || tokenKeys != null) {
                throw new IllegalArgumentException((rights != null ? "--rights" : "--token-keys") + " needs --users");
            }
            return Access.OPEN;
        }
        if (tokenRealm != null && tokenKeys == null) {
            throw new IllegalArgumentException("--token-realm needs --token-keys");
        }
        BasicAccess basic = new BasicAccess(new AccessFiles(users, Optional.ofNullable(rights)));
        return tokenKeys == null
                ? basic
                : new TokenAccess(
                        basic,
                        RegistryTokenKeys.parse(Files.readAllLines(tokenKeys)),
                        Clock.systemUTC(),
                        Optional.ofNullable(tokenRealm));
    }

    /** The key of the server. */
    Optional<HttpFront.Keys> keys(Map<String, String> environment) {
        if (keystore == null) {
            return Optional.empty();
        }
        String password = environment.getOrDefault(PASSWORD_VARIABLE, "");
        if (password.isEmpty()) {
            throw new IllegalArgumentException("--tls-keystore: %s has no password".formatted(PASSWORD_VARIABLE));
        }
        return Optional.of(new HttpFront.Keys(keystore, password));
    }
}
