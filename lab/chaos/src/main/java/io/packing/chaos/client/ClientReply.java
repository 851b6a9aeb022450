// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.client;

import com.google.common.hash.Hashing;
import io.packing.chaos.model.SeededContent;
import java.util.List;
import java.util.Optional;

/**
 * A client's answer to a {@link ClientRequest}; one line of JSON.
 *
 * @param text further words of the client, or empty
 * @param match of a read: index of the content that was read, or -1
 * @param mode of a file that was looked at
 * @param entries of a listing
 * @param count of workers
 * @param digest SHA-256 of bytes that equal none of the contents; otherwise empty
 */
public record ClientReply(
        Outcome outcome, String text, int match, int mode, List<Entry> entries, int count, String digest) {
    /** The outcome of a request. */
    public enum Outcome {
        /** Acknowledged. */
        DONE,
        /** Refused, since the path exists. */
        EXISTS,
        /** Refused, since the path does not exist. */
        ABSENT,
        /** Refused for another reason. */
        REFUSED,
        /** The entry exists, and says that its bytes are lost. */
        LOST,
        /** Bytes differ from their checksum. */
        CORRUPT,
        /** Failed: the operation may have taken place or not. */
        UNKNOWN
    }

    /** An entry of a listing. A directory's length is 0. */
    public record Entry(String path, boolean directory, int mode, long length) {}

    public ClientReply {
        entries = List.copyOf(entries);
    }

    static ClientReply of(Outcome outcome, String text) {
        return new ClientReply(outcome, text, -1, 0, List.of(), 0, "");
    }

    static ClientReply done() {
        return of(Outcome.DONE, "");
    }

    static ClientReply matched(int match) {
        return new ClientReply(Outcome.DONE, "", match, 0, List.of(), 0, "");
    }

    static ClientReply unmatched(String text, byte[] bytes) {
        return new ClientReply(
                Outcome.DONE,
                text,
                -1,
                0,
                List.of(),
                0,
                Hashing.sha256().hashBytes(bytes).toString());
    }

    static ClientReply listed(List<Entry> entries) {
        return new ClientReply(Outcome.DONE, "", -1, 0, entries, 0, "");
    }

    static ClientReply counted(int count) {
        return new ClientReply(Outcome.DONE, "", -1, 0, List.of(), count, "");
    }

    /** Makes a reply for a request that got no answer. */
    public static ClientReply unknown(String text) {
        return of(Outcome.UNKNOWN, text);
    }

    /** Returns the content that was read, out of those written while the request ran. */
    public Optional<SeededContent> among(ClientRequest request, List<SeededContent> contents) {
        return contents.stream()
                .filter(content -> Hashing.sha256()
                        .hashBytes(request.part(content))
                        .toString()
                        .equals(digest))
                .findFirst();
    }

    public boolean isDone() {
        return outcome == Outcome.DONE;
    }
}
