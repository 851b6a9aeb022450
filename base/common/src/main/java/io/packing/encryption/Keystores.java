// SPDX-License-Identifier: Apache-2.0
package io.packing.encryption;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceLoader;

/** The opener of keystores by their location. */
public final class Keystores {
    private Keystores() {}

    /**
     * Parses a user's location.
     *
     * @throws IllegalArgumentException naming valid ones
     */
    public static URI location(String text) {
        try {
            URI uri = new URI(text);
            if (uri.getScheme() != null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // Falls through to the one message with valid examples.
        }
        throw new IllegalArgumentException(
                "expected file:///etc/packing/keys, jceks://file/etc/packing/keys.jceks or kms://https@host:9600/kms");
    }

    /**
     * Opens a keystore, which remembers unwrapped keys.
     *
     * @param location {@code file:///PATH} of lines {@code NAME@VERSION HEX}, {@code jceks://file/PATH} as Hadoop's
     *     commands write it, or one that a {@link KeystoreFactory} of the class path knows
     * @param passwordFile of a keystore with a password
     * @throws KeyUnavailableException when it cannot be opened
     */
    public static Keystore open(URI location, Optional<Path> passwordFile) throws IOException {
        return new RememberedKeys(at(location, passwordFile));
    }

    private static Keystore at(URI location, Optional<Path> passwordFile) throws IOException {
        String scheme = location.getScheme().toLowerCase(Locale.ROOT);
        if (scheme.equals("file")) {
            Path path = path(location);
            return FileKeystore.open(path, () -> KeyFile.read(path));
        }
        if (scheme.equals("jceks") && "file".equals(location.getAuthority())) {
            Path path = path(location);
            return FileKeystore.open(path, () -> JavaKeystore.read(path, password(passwordFile)));
        }
        for (KeystoreFactory factory :
                ServiceLoader.load(KeystoreFactory.class, KeystoreFactory.class.getClassLoader())) {
            Optional<Keystore> opened = factory.open(location);
            if (opened.isPresent()) {
                return opened.get();
            }
        }
        throw new KeyUnavailableException(
                ("keystore %s: this process knows file: and jceks://file/ only; others, as kms:, need packing-hadoop and Hadoop on"
                                + " the class path, as the command line has them")
                        .formatted(location));
    }

    private static Path path(URI location) {
        String path = location.getPath();
        if (path == null || path.isEmpty()) {
            throw new IllegalArgumentException(
                    "keystore %s names no file: write it as file:///etc/packing/keys".formatted(location));
        }
        return Path.of(path);
    }

    /** Returns the password in the order of Hadoop's commands: a file, the environment, or the word none. */
    private static char[] password(Optional<Path> file) throws IOException {
        if (file.isPresent()) {
            return Files.readString(file.get()).strip().toCharArray();
        }
        String variable = System.getenv("HADOOP_KEYSTORE_PASSWORD");
        return (variable == null ? "none" : variable).toCharArray();
    }
}
