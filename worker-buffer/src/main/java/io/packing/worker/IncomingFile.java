// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import com.google.common.hash.HashCode;
import io.packing.bdt.Claim;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.buffer.Appender;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A whole small file on its way into a mount.
 *
 * @param id leased for it
 * @param bytes that do not change until it is in
 * @param sha256 of the bytes, when other files may share them
 */
record IncomingFile(
        long id,
        FilePath path,
        FileAttributes attributes,
        CreateOptions create,
        ByteBuffer bytes,
        Appender.Writer writer,
        Optional<HashCode> sha256) {
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
                create.extra());
    }
}
