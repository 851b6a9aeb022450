package io.packing.chaos.client;

import com.google.common.hash.Hashing;
import io.packing.chaos.model.Content;
import java.util.List;
import java.util.Optional;

/**
 * What became of a {@link Request}; one line of JSON.
 *
 * @param text what the client was told, where it was told more
 * @param match of a read: the index of the content that was read, or -1
 * @param mode of a file that was looked at
 * @param entries of a listing
 * @param count of workers
 * @param digest of bytes that were read and are none of the contents: their SHA-256; otherwise empty
 */
public record Reply(Outcome outcome, String text, int match, int mode, List<Entry> entries, int count, String digest) {
    /** What became of it. */
    public enum Outcome {
        /** Acknowledged. */
        DONE,
        /** Refused, since something is there. */
        EXISTS,
        /** Refused, since nothing is there. */
        ABSENT,
        /** Refused for another reason. */
        REFUSED,
        /** It is an entry that says that its bytes are gone. */
        LOST,
        /** Damaged: bytes differ from their checksum. */
        CORRUPT,
        /** It failed, so nobody knows whether it took place. */
        UNKNOWN
    }

    /** One name of a listing. A directory's length is 0. */
    public record Entry(String path, boolean directory, int mode, long length) {}

    public Reply {
        entries = List.copyOf(entries);
    }

    static Reply of(Outcome outcome, String text) {
        return new Reply(outcome, text, -1, 0, List.of(), 0, "");
    }

    static Reply done() {
        return of(Outcome.DONE, "");
    }

    static Reply matched(int match) {
        return new Reply(Outcome.DONE, "", match, 0, List.of(), 0, "");
    }

    static Reply unmatched(String text, byte[] bytes) {
        return new Reply(
                Outcome.DONE,
                text,
                -1,
                0,
                List.of(),
                0,
                Hashing.sha256().hashBytes(bytes).toString());
    }

    static Reply listed(List<Entry> entries) {
        return new Reply(Outcome.DONE, "", -1, 0, entries, 0, "");
    }

    static Reply counted(int count) {
        return new Reply(Outcome.DONE, "", -1, 0, List.of(), count, "");
    }

    /** Nobody answered. */
    public static Reply unknown(String text) {
        return of(Outcome.UNKNOWN, text);
    }

    /** The content that was read, although the request did not name it: one that was written while the request was under way. */
    public Optional<Content> among(Request request, List<Content> contents) {
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
