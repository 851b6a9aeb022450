// SPDX-License-Identifier: Apache-2.0
package io.packing.store.google;

import com.google.api.services.storage.Storage;
import com.google.api.services.storage.model.RewriteResponse;
import io.packing.store.RequestKind;
import io.packing.store.StoreUnavailableException;
import java.io.IOException;
import java.util.Optional;

/** Copies of objects by the server, within a bucket or from another one, in another region or storage class, too. */
final class GoogleCopies {
    private final Storage client;
    private final String bucket;
    private final GoogleCalls calls;

    /** @param bucket that gets the copies */
    GoogleCopies(Storage client, String bucket, GoogleCalls calls) {
        this.client = client;
        this.bucket = bucket;
        this.calls = calls;
    }

    /**
     * Copies one object, by one request where the server needs not move its bytes, and by some more else. The copy appears with the
     * last of them. A repeat writes equal bytes.
     *
     * @param length of the object
     */
    void copy(String fromBucket, String fromKey, String key, long length) throws IOException {
        Optional<String> token = Optional.empty();
        long rewritten = -1;
        while (true) {
            Optional<String> at = token;
            RewriteResponse answer = calls.run(
                    RequestKind.PUT,
                    "copy " + fromKey,
                    attempt -> GoogleCalls.ask(
                            () -> rewrite(fromBucket, fromKey, key, at).execute()));
            if (Boolean.TRUE.equals(answer.getDone())) {
                if (answer.getObjectSize() == null || answer.getObjectSize() != length) {
                    throw new IOException("copy %s: the copy has %s bytes, and the object had %,d"
                            .formatted(fromKey, answer.getObjectSize(), length));
                }
                return;
            }
            long before = rewritten;
            rewritten = Optional.ofNullable(answer.getTotalBytesRewritten()).orElse(0L);
            token = Optional.ofNullable(answer.getRewriteToken());
            if (token.isEmpty() || rewritten <= before) {
                throw new StoreUnavailableException("the store did not say that it has copied %s".formatted(fromKey));
            }
        }
    }

    private Storage.Objects.Rewrite rewrite(String fromBucket, String fromKey, String key, Optional<String> token)
            throws IOException {
        // Without attributes of its own the copy has those of the object.
        Storage.Objects.Rewrite rewrite = client.objects().rewrite(fromBucket, fromKey, bucket, key, null);
        token.ifPresent(rewrite::setRewriteToken);
        return rewrite;
    }
}
