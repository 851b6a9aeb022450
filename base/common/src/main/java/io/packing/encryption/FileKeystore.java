// SPDX-License-Identifier: Apache-2.0
package io.packing.encryption;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A keystore in a file, which it reads again when the file has changed. Keys that it has read stay usable when the file
 * is gone. The next data key uses a new version of a key. Thread-safe.
 */
final class FileKeystore implements Keystore {
    private static final int NONCE_BYTES = 12;

    private final Path path;
    private final Reading reading;
    private final Map<String, byte[]> keys = new LinkedHashMap<>();
    private @Nullable List<Object> stamp;

    /** A reader of all keys of the file, by the names of their versions. */
    interface Reading {
        Map<String, byte[]> read() throws IOException;
    }

    private FileKeystore(Path path, Reading reading) {
        this.path = path;
        this.reading = reading;
    }

    static FileKeystore open(Path path, Reading reading) throws IOException {
        FileKeystore store = new FileKeystore(path, reading);
        Optional<IOException> problem = store.refresh();
        if (problem.isPresent()) {
            throw unreadable(path, problem.get());
        }
        return store;
    }

    /** Reads the file if it changed; returns the failure. */
    private synchronized Optional<IOException> refresh() {
        try {
            BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
            // A file system without keys of files has the time.
            List<Object> stampNow = List.of(now.lastModifiedTime(), now.size(), String.valueOf(now.fileKey()));
            if (!stampNow.equals(stamp)) {
                Map<String, byte[]> read = reading.read();
                keys.clear();
                keys.putAll(read);
                stamp = stampNow;
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(e);
        }
    }

    private static KeyUnavailableException unreadable(Path path, IOException cause) {
        return cause instanceof KeyUnavailableException known
                ? known
                : new KeyUnavailableException(
                        "keystore %s cannot be read: %s. Put it back, readable for this process".formatted(path, cause),
                        cause);
    }

    @Override
    public synchronized DataKey create(String name) throws IOException {
        Optional<IOException> problem = refresh();
        Optional<String> newest = keys.keySet().stream()
                .filter(version -> version.startsWith(name + "@"))
                .max(Comparator.<String>comparingLong(version -> number(version.substring(name.length() + 1)))
                        .thenComparing(Comparator.naturalOrder()));
        if (newest.isEmpty()) {
            throw problem.isPresent()
                    ? unreadable(path, problem.get())
                    : new KeyUnavailableException(
                            "keystore %s has no key %s: add a first version, %s@0".formatted(path, name, name));
        }
        if (problem.isPresent()) {
            // A process that encrypts for long with keys that it cannot read any more would lose more with a restart.
            throw unreadable(path, problem.get());
        }
        SecretKey secret = new SecretKeySpec(RandomBytes.bytes(DataKey.BYTES), "AES");
        return new DataKey(secret, wrap(secret, name, newest.get()));
    }

    private static long number(String version) {
        return version.matches("[0-9]{1,18}") ? Long.parseLong(version) : -1;
    }

    private WrappedKey wrap(SecretKey secret, String name, String version) throws IOException {
        byte[] nonce = RandomBytes.bytes(NONCE_BYTES);
        try {
            byte[] encrypted = Gcm.encrypt(key(version), nonce, associated(name, version), secret.getEncoded());
            ByteBuffer bytes = ByteBuffer.allocate(NONCE_BYTES + encrypted.length);
            bytes.put(nonce).put(encrypted).flip();
            return new WrappedKey(WrappedKey.BY_PACKING, name, version, bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a key cannot be wrapped", e);
        }
    }

    @Override
    public synchronized SecretKey unwrap(WrappedKey wrapped) throws IOException {
        if (wrapped.wrapping() != WrappedKey.BY_PACKING) {
            throw new KeyUnavailableException(
                    "key %s, version %s, is in a KMS and not in a file: name that in place of keystore %s, as kms://https@host:9600/kms"
                            .formatted(wrapped.name(), wrapped.version(), path));
        }
        Optional<IOException> problem = keys.containsKey(wrapped.version()) ? Optional.empty() : refresh();
        if (!keys.containsKey(wrapped.version())) {
            throw problem.isPresent()
                    ? unreadable(path, problem.get())
                    : new KeyUnavailableException(
                            ("keystore %s has no version %s of key %s, which encrypted the object: put it back from a copy of the"
                                            + " keystore. Versions are needed for as long as anything is there that they encrypted")
                                    .formatted(path, wrapped.version(), wrapped.name()));
        }
        byte[] bytes = wrapped.copy();
        try {
            if (bytes.length != NONCE_BYTES + DataKey.BYTES + Gcm.TAG_BYTES) {
                throw new AEADBadTagException("a wrapped key of %d bytes".formatted(bytes.length));
            }
            byte[] nonce = Arrays.copyOf(bytes, NONCE_BYTES);
            byte[] encrypted = Arrays.copyOfRange(bytes, NONCE_BYTES, bytes.length);
            byte[] secret = Gcm.decrypt(
                    key(wrapped.version()), nonce, associated(wrapped.name(), wrapped.version()), encrypted);
            return new SecretKeySpec(secret, "AES");
        } catch (AEADBadTagException e) {
            throw new KeyUnavailableException(
                    ("keystore %s has another key as %s than the one that encrypted the object, or the object's key was exchanged: put"
                                    + " the key back that was there under this name, or the object from a copy")
                            .formatted(path, wrapped.version()),
                    e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a key cannot be unwrapped", e);
        }
    }

    private SecretKey key(String version) {
        byte[] key = keys.get(version);
        if (key == null) {
            throw new IllegalStateException("version %s went away".formatted(version));
        }
        return new SecretKeySpec(key, "AES");
    }

    private static byte[] associated(String name, String version) {
        return (name + "\n" + version).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
