// SPDX-License-Identifier: Apache-2.0
package io.packing.store.azure;

import com.azure.core.http.rest.PagedResponse;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.batch.BlobBatchClient;
import com.azure.storage.blob.batch.BlobBatchClientBuilder;
import com.azure.storage.blob.batch.BlobBatchStorageException;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobListDetails;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.DeleteSnapshotsOptionType;
import com.azure.storage.blob.models.ListBlobsOptions;
import io.packing.store.Attempts;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectKeys;
import io.packing.store.ObjectKeyspace;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.RequestKind;
import java.io.IOException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The attributes, the listing and the deletion of blobs of a container.
 *
 * <p>A listing cannot begin after a key, but only where an earlier one ended. So the ends of the last pages are remembered; a listing
 * that begins elsewhere reads the pages before it.
 */
final class AzureKeyspace implements ObjectKeyspace {
    private static final int KEYS_PER_PAGE = 1_000;
    private static final int KEYS_PER_SKIPPED_PAGE = 5_000;
    private static final int KEYS_PER_BATCH = 256;
    private static final int REMEMBERED = 64;
    private static final int NOT_FOUND = 404;
    /** The mark of a directory of an account with a hierarchical namespace. */
    private static final String FOLDER = "hdi_isfolder";

    private final BlobContainerClient client;
    private final BlobBatchClient batches;
    private final String keyPrefix;
    private final AzureCalls calls;
    /** Tokens of the store by which it goes on behind the last key of a page. */
    private final Map<Place, String> ends = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Place, String> eldest) {
            return size() > REMEMBERED;
        }
    };

    private record Place(String prefix, String after) {}

    AzureKeyspace(BlobContainerClient client, String keyPrefix, AzureCalls calls) {
        this.client = client;
        this.batches = new BlobBatchClientBuilder(client).buildClient();
        this.keyPrefix = keyPrefix;
        this.calls = calls;
    }

    /**
     * The store's attributes of a blob.
     *
     * @param tag differs with each write of the key
     * @param metadata that the writer gave it
     */
    record Attributes(long length, String tag, Instant modified, Map<String, String> metadata) {}

    /** Returns the attributes; empty when the blob does not exist. */
    Optional<Attributes> attributes(String key) throws IOException {
        try {
            BlobProperties found = calls.run(
                    RequestKind.HEAD,
                    "head " + key,
                    attempt -> client.getBlobClient(key).getProperties());
            return Optional.of(new Attributes(
                    found.getBlobSize(), found.getETag(), instant(found.getLastModified()), found.getMetadata()));
        } catch (ObjectNotFoundException e) {
            return Optional.empty();
        }
    }

    private static Instant instant(@Nullable OffsetDateTime time) {
        return time == null ? Instant.EPOCH : time.toInstant();
    }

    /** Asks for one key, to learn whether the container may be used. */
    void look() throws IOException {
        PagedResponse<BlobItem> unused = page(keyPrefix, Optional.empty(), 1, "look for the container");
    }

    private PagedResponse<BlobItem> page(String prefix, Optional<String> from, int limit, String what)
            throws IOException {
        ListBlobsOptions options = new ListBlobsOptions()
                .setPrefix(prefix)
                .setMaxResultsPerPage(limit)
                .setDetails(new BlobListDetails().setRetrieveMetadata(true));
        return calls.run(RequestKind.LIST, what, attempt -> {
            try {
                return client.listBlobs(options, from.orElse(null), null)
                        .iterableByPage()
                        .iterator()
                        .next();
            } catch (NullPointerException e) {
                // The client takes an answer without a byte for one without a listing.
                throw new Attempts.Transient("the answer is empty", false, e);
            }
        });
    }

    @Override
    public List<ObjectInfo> list(String prefix, String startAfter, int limit) throws IOException {
        Optional<String> from = startAfter.isEmpty() ? Optional.empty() : end(new Place(prefix, startAfter));
        boolean skips = !startAfter.isEmpty() && from.isEmpty();
        int size = skips ? KEYS_PER_SKIPPED_PAGE : Math.min(limit, KEYS_PER_PAGE);
        List<ObjectInfo> page = new ArrayList<>();
        do {
            PagedResponse<BlobItem> answer = page(keyPrefix + prefix, from, size, "list " + keyPrefix + prefix);
            boolean isCut = false;
            for (BlobItem blob : answer.getValue()) {
                String key = blob.getName().substring(keyPrefix.length());
                if (!isObject(blob, key) || (skips && ObjectKeys.UTF8_ORDER.compare(key, startAfter) <= 0)) {
                    continue;
                }
                isCut = page.size() == limit;
                if (isCut) {
                    break;
                }
                page.add(new ObjectInfo(
                        key,
                        blob.getProperties().getContentLength(),
                        blob.getProperties().getETag(),
                        instant(blob.getProperties().getLastModified())));
            }
            from = Optional.ofNullable(answer.getContinuationToken()).filter(token -> !token.isEmpty());
            if (from.isPresent() && !page.isEmpty() && !isCut) {
                remember(new Place(prefix, page.get(page.size() - 1).key()), from.get());
            }
            // An empty page means the end to our caller.
        } while (page.isEmpty() && from.isPresent());
        return page;
    }

    /** Returns whether it is no directory of a console or of a hierarchical namespace. */
    private static boolean isObject(BlobItem blob, String key) {
        @Nullable Map<String, String> metadata = blob.getMetadata();
        return !key.isEmpty()
                && !key.endsWith("/")
                && !Boolean.TRUE.equals(blob.isPrefix())
                && (metadata == null || !"true".equalsIgnoreCase(metadata.get(FOLDER)));
    }

    private Optional<String> end(Place place) {
        synchronized (ends) {
            return Optional.ofNullable(ends.get(place));
        }
    }

    private void remember(Place place, String token) {
        synchronized (ends) {
            ends.put(place, token);
        }
    }

    @Override
    public void delete(List<String> keys) throws IOException {
        for (int from = 0; from < keys.size(); from += KEYS_PER_BATCH) {
            deleteBatch(keys.subList(from, Math.min(keys.size(), from + KEYS_PER_BATCH)));
        }
    }

    private void deleteBatch(List<String> keys) throws IOException {
        List<String> urls =
                keys.stream().map(key -> client.getBlobClient(key).getBlobUrl()).toList();
        boolean unused = calls.run(RequestKind.DELETE, "delete %d objects".formatted(keys.size()), attempt -> {
            try {
                batches.deleteBlobs(urls, DeleteSnapshotsOptionType.INCLUDE).forEach(answer -> {});
            } catch (BlobBatchStorageException e) {
                for (BlobStorageException each : e.getBatchExceptions()) {
                    if (each.getStatusCode() != NOT_FOUND) {
                        throw each;
                    }
                }
            }
            return true;
        });
    }
}
