// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import com.google.common.hash.HashCode;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A worker's statement that it holds a complete new file.
 *
 * @param fileId from {@link WorkerSession#newFileId}; a second claim of an id has no further effect
 * @param createParents makes missing parent directories
 * @param overwrite replaces an existing file; otherwise the claim is refused with {@link Outcome#EXISTS}
 * @param deferred replaces an existing file only when this one is committed: its writer has no answer before
 * @param sha256 of the bytes, when later files may share them
 * @param shared true if the worker has not kept the bytes: the file shares those of a content with this hash, or the
 *     claim is refused with {@link Outcome#UNKNOWN_CONTENT}
 * @param user whose rights count; empty: the worker's own
 * @param extra attributes that the file has from its first moment on, with the nanoseconds of its time; a deferred claim has none
 * @param fingerprint of the bytes, beside their hash; empty: the worker is of an older version
 * @param append the file that gets the bytes in the claim's mutation; a claim that appends waits for nothing and shares nothing
 */
public record Claim(
        long fileId,
        FilePath path,
        FileAttributes attributes,
        boolean createParents,
        boolean overwrite,
        boolean deferred,
        Optional<HashCode> sha256,
        boolean shared,
        Optional<BdtUser> user,
        RareAttributeChange extra,
        OptionalInt fingerprint,
        Optional<AppendTarget> append) {
    private static final int SHA_256_BITS = 256;

    /** Makes a claim that replaces an existing file at once. */
    public Claim(long fileId, FilePath path, FileAttributes attributes, boolean createParents, boolean overwrite) {
        this(fileId, path, attributes, createParents, overwrite, false);
    }

    /** Makes a claim without a hash of the bytes. */
    public Claim(
            long fileId,
            FilePath path,
            FileAttributes attributes,
            boolean createParents,
            boolean overwrite,
            boolean deferred) {
        this(fileId, path, attributes, createParents, overwrite, deferred, Optional.empty(), false);
    }

    /** Makes a claim of the worker's own. */
    public Claim(
            long fileId,
            FilePath path,
            FileAttributes attributes,
            boolean createParents,
            boolean overwrite,
            boolean deferred,
            Optional<HashCode> sha256,
            boolean shared) {
        this(fileId, path, attributes, createParents, overwrite, deferred, sha256, shared, Optional.empty());
    }

    /** Makes a claim of a file without further attributes. */
    public Claim(
            long fileId,
            FilePath path,
            FileAttributes attributes,
            boolean createParents,
            boolean overwrite,
            boolean deferred,
            Optional<HashCode> sha256,
            boolean shared,
            Optional<BdtUser> user) {
        this(
                fileId,
                path,
                attributes,
                createParents,
                overwrite,
                deferred,
                sha256,
                shared,
                user,
                RareAttributeChange.NONE);
    }

    /** Makes a claim without a fingerprint of the bytes. */
    public Claim(
            long fileId,
            FilePath path,
            FileAttributes attributes,
            boolean createParents,
            boolean overwrite,
            boolean deferred,
            Optional<HashCode> sha256,
            boolean shared,
            Optional<BdtUser> user,
            RareAttributeChange extra) {
        this(
                fileId,
                path,
                attributes,
                createParents,
                overwrite,
                deferred,
                sha256,
                shared,
                user,
                extra,
                OptionalInt.empty(),
                Optional.empty());
    }

    /** Returns this claim for a user, if one is given. */
    public Claim by(Optional<BdtUser> who) {
        return like(attributes, shared, who);
    }

    /** Returns this claim with other attributes. */
    public Claim with(FileAttributes other) {
        return like(other, shared, user);
    }

    /** Returns this claim for a worker that has not kept the bytes. */
    public Claim sharing() {
        return like(attributes, true, user);
    }

    private Claim like(FileAttributes other, boolean shares, Optional<BdtUser> who) {
        return new Claim(
                fileId,
                path,
                other,
                createParents,
                overwrite,
                deferred,
                sha256,
                shares,
                who,
                extra,
                fingerprint,
                append);
    }

    public Claim {
        if (fileId <= 0) {
            throw new IllegalArgumentException("bad file id " + fileId);
        }
        if (sha256.isPresent() && sha256.get().bits() != SHA_256_BITS) {
            throw new IllegalArgumentException(
                    "a hash of %d bits, SHA-256 has %d".formatted(sha256.get().bits(), SHA_256_BITS));
        }
        if (shared && (sha256.isEmpty() || deferred || attributes.length() == 0)) {
            throw new IllegalArgumentException("a claim shares bytes by their hash, at once: " + path);
        }
        if (deferred && !extra.isNone()) {
            throw new IllegalArgumentException("a claim that waits for its commit has no further attributes: " + path);
        }
        if (append.isPresent() && (deferred || shared || attributes.length() == 0)) {
            throw new IllegalArgumentException("a claim appends bytes that its worker has, at once: " + path);
        }
    }
}
