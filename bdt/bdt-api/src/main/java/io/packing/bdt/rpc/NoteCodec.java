// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import com.google.common.primitives.ImmutableIntArray;
import io.packing.bdt.FingerprintPage;
import io.packing.bdt.NotedContent;
import io.packing.blob.FileVersion;
import java.util.ArrayList;
import java.util.List;

/** The translation of noted hashes and of pages of fingerprints to messages and back. */
public final class NoteCodec {
    private NoteCodec() {}

    /** Returns a request without its session. */
    public static NoteRequest.Builder request(List<NotedContent> contents) {
        NoteRequest.Builder request = NoteRequest.newBuilder();
        for (NotedContent each : contents) {
            request.addIds(each.version().id());
            request.addGenerations(each.version().generation());
            request.addSha256(BdtCodec.hash(each.sha256()));
            request.addFingerprints(each.fingerprint());
        }
        return request;
    }

    /**
     * Returns the contents of a request.
     *
     * @throws IllegalArgumentException when its columns differ in length
     */
    public static List<NotedContent> contents(NoteRequest request) {
        int count = request.getIdsCount();
        if (request.getGenerationsCount() != count
                || request.getSha256Count() != count
                || request.getFingerprintsCount() != count) {
            throw new IllegalArgumentException("%d ids, %d generations, %d hashes and %d fingerprints"
                    .formatted(
                            count,
                            request.getGenerationsCount(),
                            request.getSha256Count(),
                            request.getFingerprintsCount()));
        }
        List<NotedContent> contents = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            contents.add(new NotedContent(
                    new FileVersion(request.getIds(i), request.getGenerations(i)),
                    BdtCodec.hash(request.getSha256(i)),
                    request.getFingerprints(i)));
        }
        return contents;
    }

    public static FingerprintsReply reply(FingerprintPage page) {
        FingerprintsReply.Builder reply = FingerprintsReply.newBuilder()
                .setList(page.list())
                .setNext(page.next())
                .setComplete(page.complete())
                .setMore(page.more());
        page.fingerprints().forEach(reply::addFingerprints);
        return reply.build();
    }

    public static FingerprintPage page(FingerprintsReply reply) {
        return new FingerprintPage(
                reply.getList(),
                reply.getNext(),
                reply.getComplete(),
                reply.getMore(),
                ImmutableIntArray.copyOf(reply.getFingerprintsList()));
    }
}
