package io.packing.cli;

import io.packing.registry.access.Access;
import io.packing.registry.access.BasicAccess;
import io.packing.registry.access.Passwords;
import io.packing.registry.access.Rights;
import io.packing.registry.http.HttpFront;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Who may use a registry, and how its connections are protected. */
final class RegistryAccess {
    /** What opens the keystore; a command line is seen by every user of the machine. */
    static final String PASSWORD_VARIABLE = "PACKING_REGISTRY_KEYSTORE_PASSWORD";

    @Option(
            names = "--users",
            paramLabel = "FILE",
            description =
                    "Users and their passwords, as htpasswd -B writes them; without it everybody may do everything.")
    private @Nullable Path users;

    @Option(
            names = "--rights",
            paramLabel = "FILE",
            description =
                    "Lines USER REPOSITORIES RIGHTS, such as: alice team/* pull,push. The user * is everybody. Without it"
                            + " each user may do everything.")
    private @Nullable Path rights;

    @Option(
            names = "--tls-keystore",
            paramLabel = "FILE",
            description = "A PKCS#12 file with key and certificate, whose password is in " + PASSWORD_VARIABLE
                    + "; without it the registry speaks plain HTTP.")
    private @Nullable Path keystore;

    /** Who may do what. */
    Access access() throws IOException {
        if (users == null) {
            if (rights != null) {
                throw new IllegalArgumentException("--rights needs --users");
            }
            return Access.OPEN;
        }
        Passwords passwords = Passwords.parse(Files.readAllLines(users));
        return rights == null
                ? new BasicAccess(passwords)
                : new BasicAccess(passwords, Rights.parse(Files.readAllLines(rights)));
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
