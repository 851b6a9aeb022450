// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.client;

import io.packing.blob.CorruptBlobException;
import java.io.FileNotFoundException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;

/** A translation of exceptions into outcomes: refused, damaged or unknown. */
final class Outcomes {
    /** The message for a file whose worker has lost its buffer. */
    private static final String LOST = "came back without its buffer";

    private Outcomes() {}

    static ClientReply of(Throwable failure) {
        StringBuilder text = new StringBuilder();
        ClientReply.Outcome outcome = ClientReply.Outcome.UNKNOWN;
        for (Throwable t = failure; t != null; t = t.getCause()) {
            text.append(text.isEmpty() ? "" : "; ").append(t);
            if (outcome == ClientReply.Outcome.UNKNOWN) {
                outcome = one(t);
            }
        }
        return ClientReply.of(outcome, text.toString());
    }

    private static ClientReply.Outcome one(Throwable t) {
        if (t instanceof CorruptBlobException) {
            return ClientReply.Outcome.CORRUPT;
        }
        if (t instanceof FileAlreadyExistsException || t instanceof org.apache.hadoop.fs.FileAlreadyExistsException) {
            return ClientReply.Outcome.EXISTS;
        }
        if (t instanceof FileNotFoundException) {
            return ClientReply.Outcome.ABSENT;
        }
        if (t instanceof NoSuchFileException
                || t instanceof ParentNotDirectoryException
                || t instanceof PathIsNotEmptyDirectoryException) {
            return ClientReply.Outcome.REFUSED;
        }
        return String.valueOf(t.getMessage()).contains(LOST) ? ClientReply.Outcome.LOST : ClientReply.Outcome.UNKNOWN;
    }
}
