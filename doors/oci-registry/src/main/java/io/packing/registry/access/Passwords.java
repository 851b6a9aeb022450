// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.access;

import at.favre.lib.crypto.bcrypt.BCrypt;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Users and the bcrypt hashes of their passwords, as {@code htpasswd -B} writes them. Thread-safe. */
public final class Passwords {
    private static final int MOST_REMEMBERED = 1_000;
    /** The hash for users that do not exist, so that they take the same time. */
    private static final String NOBODY = "$2y$10$abcdefghijklmnopqrstuuO0qvWm3ZQZ3z1G7m5b8u0sWw4cTqv1i";

    private final Map<String, String> hashes;
    private final byte[] salt = new byte[32];
    /**
     * Passwords that were right before, hashed with a salt of this process: bcrypt is slow on purpose, and clients ask
     * often.
     */
    private final Map<String, Boolean> remembered = new LinkedHashMap<>();

    private Passwords(Map<String, String> hashes) {
        this.hashes = Map.copyOf(hashes);
        new SecureRandom().nextBytes(salt);
    }

    /** Reads lines {@code user:hash}; {@link IllegalArgumentException} names a line that cannot be read. */
    public static Passwords parse(List<String> lines) {
        Map<String, String> hashes = new LinkedHashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            int colon = line.indexOf(':');
            if (colon <= 0 || !line.substring(colon + 1).matches("\\$2[aby]\\$[0-9]{2}\\$[./A-Za-z0-9]{53}")) {
                throw new IllegalArgumentException(
                        "passwords, line %d: want USER:BCRYPT; htpasswd -B writes such lines".formatted(i + 1));
            }
            hashes.put(line.substring(0, colon), line.substring(colon + 1));
        }
        return new Passwords(hashes);
    }

    Set<String> users() {
        return hashes.keySet();
    }

    /** Returns whether this is the user's password. */
    boolean verify(String user, String password) {
        String key = key(user, password);
        synchronized (remembered) {
            if (remembered.containsKey(key)) {
                return true;
            }
        }
        String hash = hashes.getOrDefault(user, NOBODY);
        boolean right = BCrypt.verifyer()
                        .verify(password.getBytes(StandardCharsets.UTF_8), hash.getBytes(StandardCharsets.US_ASCII))
                        .verified
                && hashes.containsKey(user);
        if (right) {
            synchronized (remembered) {
                if (remembered.size() >= MOST_REMEMBERED) {
                    remembered.clear();
                }
                remembered.put(key, true);
            }
        }
        return right;
    }

    private String key(String user, String password) {
        try {
            MessageDigest hasher = MessageDigest.getInstance("SHA-256");
            hasher.update(salt);
            hasher.update((user + "\0" + password).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hasher.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
