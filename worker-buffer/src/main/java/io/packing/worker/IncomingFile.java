// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;
import io.packing.bdt.Claim;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.buffer.Appender;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A whole small file on its way into a mount.
 *
 * @param id leased for it
 * @param bytes that do not change until it is in
 * @param fingerprint of the bytes, if the mount shares equal ones
 * @param sha256 of the bytes, if they were hashed
 */
record IncomingFile(
        long id,
        FilePath path,
        FileAttributes attributes,
        CreateOptions create,
        ByteBuffer bytes,
        Appender.Writer writer,
        int fingerprint,
        Optional<HashCode> sha256) {
    /** Returns this file with the hash of its bytes. */
    IncomingFile hashed() {
        Optional<HashCode> hash = Optional.of(Hashing.sha256().hashBytes(bytes.duplicate()));
        return new IncomingFile(id, path, attributes, create, bytes, writer, fingerprint, hash);
    }

    /** Returns the fingerprint for the master, which has no use for it without the hash. */
    OptionalInt told() {
        return sha256.isPresent() ? OptionalInt.of(fingerprint) : OptionalInt.empty();
    }

    /** Returns a claim that shares the bytes that the mount has. */
    Claim sharing() {
        return new Claim(
                id,
                path,
                attributes,
                create.createParents(),
                create.overwrite(),
                false,
                sha256,
                true,
                create.user(),
                create.extra(),
                told(),
                Optional.empty());
    }
}
