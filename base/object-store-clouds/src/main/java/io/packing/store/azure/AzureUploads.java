// SPDX-License-Identifier: Apache-2.0
package io.packing.store.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.DeleteSnapshotsOptionType;
import com.azure.storage.blob.options.BlockBlobCommitBlockListOptions;
import io.packing.store.Attempts;
import io.packing.store.PreconditionFailedException;
import io.packing.store.PutCondition;
import io.packing.store.RequestKind;
import io.packing.store.StoreUnavailableException;
import io.packing.store.StreamedBody;
import io.packing.store.UntrustedStreamException;
import io.packing.store.UploadSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The creation of blobs: one Put Blob up to the configured size, blocks above it. The store tells the MD5 of the bytes that it took; a
 * blob of other bytes is deleted, and a block of other bytes is sent again. A file whose CRC32C is not the wanted one is not sent to its
 * end, so that it makes no blob.
 *
 * <p>A repetition of a conditional put may meet its own lost success. So the blob has a token in its metadata, which tells if the lost
 * request or another writer made it.
 */
final class AzureUploads {
    private static final String TOKEN = "packingtoken";
    private static final HttpHeaderName TOKEN_HEADER = HttpHeaderName.fromString("x-ms-meta-" + TOKEN);
    private static final HttpHeaderName TYPE = HttpHeaderName.fromString("x-ms-blob-type");
    private static final HttpHeaderName REQUEST = HttpHeaderName.fromString("x-ms-request-id");
    private static final String ANY = "*";

    private final BlobContainerClient client;
    private final long putSingleMax;
    private final AzureCalls calls;
    private final AzureKeyspace keyspace;
    private final RandomGenerator random;

    AzureUploads(
            BlobContainerClient client,
            long putSingleMax,
            AzureCalls calls,
            AzureKeyspace keyspace,
            RandomGenerator random) {
        this.client = client;
        this.putSingleMax = putSingleMax;
        this.calls = calls;
        this.keyspace = keyspace;
        this.random = random;
    }

    /** Creates a blob from bytes in memory; the store compares their MD5. */
    void put(String key, byte[] bytes, PutCondition condition) throws IOException {
        CheckedBytes read = new CheckedBytes(new ByteArrayInputStream(bytes), bytes.length, OptionalInt.empty());
        long unused = read.transferTo(OutputStream.nullOutputStream());
        UploadSource source = UploadSource.of(bytes);
        put(key, source, bytes.length, OptionalInt.empty(), Optional.of(read.md5()), condition);
    }

    /** @param crc32c of all bytes, when it is known; others make no blob */
    void put(String key, UploadSource source, long length, OptionalInt crc32c, PutCondition condition)
            throws IOException {
        put(key, source, length, crc32c, Optional.empty(), condition);
    }

    private void put(
            String key,
            UploadSource source,
            long length,
            OptionalInt crc32c,
            Optional<String> md5,
            PutCondition condition)
            throws IOException {
        String token = "%016x%016x".formatted(random.nextLong(), random.nextLong());
        if (length > putSingleMax) {
            putBlocks(key, source, length, crc32c, condition, token);
            return;
        }
        boolean unused = calls.run(
                RequestKind.PUT,
                "put " + key,
                attempt -> {
                    try (CheckedBytes sent = new CheckedBytes(source.open(0), length, crc32c)) {
                        HttpRequest request = whole(key, length, condition, token);
                        md5.ifPresent(known -> request.setHeader(HttpHeaderName.CONTENT_MD5, known));
                        return unlessOurs(key, length, token, attempt, () -> {
                            if (!isKept(sent, send(request, sent))) {
                                delete(key, token);
                                throw new Attempts.Transient("the store has other bytes than were sent", false, null);
                            }
                            return true;
                        });
                    }
                },
                done -> length);
    }

    private interface Send {
        boolean send() throws IOException;
    }

    private boolean unlessOurs(String key, long length, String token, int attempt, Send send) throws IOException {
        try {
            return send.send();
        } catch (BlobStorageException e) {
            if (attempt > 1 && AzureErrors.isTaken(e) && isOurs(key, length, token)) {
                return true;
            }
            throw e;
        }
    }

    private boolean isOurs(String key, long length, String token) throws IOException {
        return keyspace.attributes(key)
                .filter(there -> there.length() == length
                        && token.equals(there.metadata().get(TOKEN)))
                .isPresent();
    }

    private HttpRequest whole(String key, long length, PutCondition condition, String token) {
        HttpRequest request = request(client.getBlobClient(key).getBlobUrl(), length)
                .setHeader(TYPE, "BlockBlob")
                .setHeader(TOKEN_HEADER, token);
        return condition == PutCondition.IF_ABSENT ? request.setHeader(HttpHeaderName.IF_NONE_MATCH, ANY) : request;
    }

    private HttpRequest request(String url, long length) {
        return new HttpRequest(HttpMethod.PUT, url)
                .setHeader(AzureDownloads.VERSION, client.getServiceVersion().getVersion())
                .setHeader(HttpHeaderName.CONTENT_TYPE, "application/octet-stream")
                .setHeader(HttpHeaderName.CONTENT_LENGTH, Long.toString(length));
    }

    /** Refuses an answer without what each answer of a store has: the page of a proxy with status 200, and nothing was kept. */
    private static void given(@Nullable String part) throws Attempts.Transient {
        if (part == null) {
            throw new Attempts.Transient("the answer is none of Azure's", false, null);
        }
    }

    /** Sends a body; returns the MD5 that the store tells. */
    private Optional<String> send(HttpRequest request, CheckedBytes sent) throws IOException {
        try (HttpResponse answer =
                client.getHttpPipeline().sendSync(request, new Context(AzureHttpClient.BODY, sent))) {
            AzureDownloads.refuse(answer);
            given(answer.getHeaderValue(REQUEST));
            @Nullable String md5 = answer.getHeaderValue(HttpHeaderName.CONTENT_MD5);
            byte[] unused = answer.getBodyAsBinaryData().toBytes();
            return Optional.ofNullable(md5);
        } catch (RuntimeException e) {
            if (sent.failure().isPresent()) {
                throw sent.failure().get();
            }
            throw e;
        }
    }

    private static boolean isKept(CheckedBytes sent, Optional<String> md5) {
        return sent.left() == 0 && md5.equals(Optional.of(sent.md5()));
    }

    /** Deletes the blob of a put, unless it was replaced since. */
    private void delete(String key, String token) throws IOException {
        Optional<AzureKeyspace.Attributes> there = keyspace.attributes(key)
                .filter(found -> token.equals(found.metadata().get(TOKEN)));
        if (there.isPresent()) {
            boolean unused = calls.within(Duration.ZERO).run(RequestKind.DELETE, "delete " + key, attempt -> {
                client.getBlobClient(key)
                        .deleteWithResponse(
                                DeleteSnapshotsOptionType.INCLUDE,
                                new BlobRequestConditions()
                                        .setIfMatch(there.get().tag()),
                                null,
                                Context.NONE);
                return true;
            });
        }
    }

    private void putBlocks(
            String key, UploadSource source, long length, OptionalInt crc32c, PutCondition condition, String token)
            throws IOException {
        try (CheckedBytes read = new CheckedBytes(source.open(0), length, crc32c)) {
            // Blocks have no checksum of the whole file.
            long unused = crc32c.isPresent() ? read.transferTo(OutputStream.nullOutputStream()) : 0;
        }
        // Blocks that are not committed are of no blob, and the store drops them after a week.
        List<String> blocks = new ArrayList<>();
        for (long offset = 0; offset < length; offset += putSingleMax) {
            long from = offset;
            long size = Math.min(putSingleMax, length - offset);
            String block = Base64.getEncoder()
                    .encodeToString("%s-%06d".formatted(token, blocks.size()).getBytes(StandardCharsets.US_ASCII));
            String url = "%s?comp=block&blockid=%s"
                    .formatted(
                            client.getBlobClient(key).getBlobUrl(),
                            URLEncoder.encode(block, StandardCharsets.US_ASCII));
            boolean unused = calls.run(
                    RequestKind.PUT,
                    "put block %d of %s".formatted(blocks.size(), key),
                    attempt -> {
                        try (CheckedBytes read = new CheckedBytes(source.open(from), size, OptionalInt.empty());
                                CheckedBytes sent = new CheckedBytes(source.open(from), size, OptionalInt.empty())) {
                            // The answer tells no MD5 of a block, but the store compares one that comes before the
                            // bytes.
                            long unusedCount = read.transferTo(OutputStream.nullOutputStream());
                            Optional<String> unusedMd5 =
                                    send(request(url, size).setHeader(HttpHeaderName.CONTENT_MD5, read.md5()), sent);
                            return true;
                        }
                    },
                    done -> size);
            blocks.add(block);
        }
        BlockBlobCommitBlockListOptions options =
                new BlockBlobCommitBlockListOptions(blocks).setMetadata(Map.of(TOKEN, token));
        if (condition == PutCondition.IF_ABSENT) {
            options.setRequestConditions(new BlobRequestConditions().setIfNoneMatch(ANY));
        }
        boolean unused = calls.run(
                RequestKind.PUT,
                "commit the blocks of " + key,
                attempt -> unlessOurs(key, length, token, attempt, () -> {
                    given(client.getBlobClient(key)
                            .getBlockBlobClient()
                            .commitBlockListWithResponse(options, null, Context.NONE)
                            .getHeaders()
                            .getValue(REQUEST));
                    return true;
                }));
    }

    /** Sends a stream, once. */
    void put(String key, StreamedBody body, PutCondition condition) throws IOException {
        String token = "%016x%016x".formatted(random.nextLong(), random.nextLong());
        CheckedBytes sent = new CheckedBytes(body.bytes(), body.length(), OptionalInt.empty());
        Optional<String> md5;
        try {
            md5 = calls.within(Duration.ZERO)
                    .run(
                            RequestKind.PUT,
                            "put %s while its bytes come".formatted(key),
                            attempt -> send(whole(key, body.length(), condition, token), sent),
                            done -> body.length());
        } catch (StoreUnavailableException e) {
            boolean isTaken = condition == PutCondition.IF_ABSENT
                    && sent.failure().isEmpty()
                    && isAnothers(key, body, token, sent);
            throw isTaken
                    ? new PreconditionFailedException("put %s: the object already exists".formatted(key), e)
                    : ofTheReader(sent, e);
        } catch (IOException e) {
            throw ofTheReader(sent, e);
        }
        if (!isKept(sent, md5)) {
            UntrustedStreamException unchecked =
                    new UntrustedStreamException("%s was not kept as it was sent: the store has the MD5 %s"
                            .formatted(key, md5.orElse("of nothing")));
            try {
                delete(key, token);
            } catch (IOException e) {
                // The object belongs to no file: a collection deletes it.
                unchecked.addSuppressed(e);
            }
            throw unchecked;
        }
    }

    /**
     * Returns whether the object is another's for certain. A store may refuse a put before its bytes, and end the connection; then the
     * refusal is lost if the client was still sending.
     */
    private boolean isAnothers(String key, StreamedBody body, String token, CheckedBytes sent) {
        try {
            Optional<AzureKeyspace.Attributes> there = keyspace.attributes(key);
            return there.isPresent() && (sent.left() > 0 || !isOurs(key, body.length(), token));
        } catch (IOException e) {
            // The first failure says enough.
            return false;
        }
    }

    /** Returns the failure of the stream if one cut the put, otherwise that of the store. */
    private static IOException ofTheReader(CheckedBytes sent, IOException e) {
        sent.failure().filter(failure -> failure != e).ifPresent(failure -> failure.addSuppressed(e));
        return sent.failure().orElse(e);
    }
}
