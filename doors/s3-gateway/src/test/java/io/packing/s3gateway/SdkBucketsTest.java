// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Delete;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Buckets, listings and deletions, by AWS's client for Java. */
@Timeout(120)
class SdkBucketsTest {
    @TempDir
    private static Path home;

    private static TestGateway gateway;
    private static S3Client client;

    @BeforeAll
    static void start() throws IOException {
        gateway = TestGateway.start(home);
        client = SdkClients.open(gateway.uri(), TestGateway.ALICE);
    }

    @AfterAll
    static void stop() throws IOException {
        client.close();
        gateway.close();
    }

    private static String bucket(String name) {
        client.createBucket(b -> b.bucket(name));
        return name;
    }

    private static void put(String bucket, String key, String text) {
        client.putObject(p -> p.bucket(bucket).key(key), RequestBody.fromString(text));
    }

    private static String get(String bucket, String key) {
        return client.getObjectAsBytes(g -> g.bucket(bucket).key(key)).asUtf8String();
    }

    @Test
    void keysThatArePartsOfEachOtherExistBesideEachOther() {
        String bucket = bucket("nested");
        for (String key : List.of("a", "a/b", "a/b/c", "a/", "a//", "x/y", "x")) {
            put(bucket, key, "of " + key);
        }
        List<String> keys = List.of("a", "a/", "a//", "a/b", "a/b/c", "x", "x/y");
        assertThat(client.listObjectsV2(l -> l.bucket(bucket)).contents().stream()
                        .map(S3Object::key))
                .containsExactlyElementsOf(keys);
        for (String key : keys) {
            assertThat(get(bucket, key)).isEqualTo("of " + key);
        }
        for (String key : keys) {
            client.deleteObject(d -> d.bucket(bucket).key(key));
            assertThatThrownBy(() -> get(bucket, key)).isInstanceOf(NoSuchKeyException.class);
        }
        assertThat(client.listObjectsV2(l -> l.bucket(bucket)).contents()).isEmpty();
        client.deleteBucket(d -> d.bucket(bucket));
    }

    @Test
    void listingsAreInOrderAndInPages() {
        String bucket = bucket("listings");
        List<String> keys = List.of("a-b", "a.c/1", "a/1", "a/2", "a/3/4", "a0", "b/1", "c");
        keys.forEach(key -> put(bucket, key, key));
        List<String> paged = new ArrayList<>();
        client.listObjectsV2Paginator(l -> l.bucket(bucket).maxKeys(3))
                .contents()
                .forEach(each -> {
                    paged.add(each.key());
                    assertThat(each.eTag())
                            .isEqualTo("\"" + SdkClients.md5(each.key().getBytes(StandardCharsets.UTF_8)) + "\"");
                    assertThat(each.size()).isEqualTo(each.key().length());
                });
        assertThat(paged).isEqualTo(keys);
        ListObjectsV2Response rolled =
                client.listObjectsV2(l -> l.bucket(bucket).delimiter("/"));
        assertThat(rolled.contents().stream().map(S3Object::key)).containsExactly("a-b", "a0", "c");
        assertThat(rolled.commonPrefixes().stream().map(each -> each.prefix())).containsExactly("a.c/", "a/", "b/");
        assertThat(client.listObjectsV2(l -> l.bucket(bucket).prefix("a/").delimiter("/")).contents().stream()
                        .map(S3Object::key))
                .containsExactly("a/1", "a/2");
        assertThat(client.listObjectsV2(l -> l.bucket(bucket).startAfter("a/2")).contents().stream()
                        .map(S3Object::key))
                .containsExactly("a/3/4", "a0", "b/1", "c");
        assertThat(client.listObjects(l -> l.bucket(bucket).marker("a/3/4")).contents().stream()
                        .map(S3Object::key))
                .containsExactly("a0", "b/1", "c");
        assertThat(client.listObjects(l -> l.bucket(bucket).delimiter("/").maxKeys(3))
                        .nextMarker())
                .isEqualTo("a/");
        assertThat(client.listObjects(l -> l.bucket(bucket).delimiter("/").marker("a/")).commonPrefixes().stream()
                        .map(each -> each.prefix()))
                .containsExactly("b/");
        assertThat(client.listObjectsV2(l -> l.bucket(bucket).maxKeys(0)).contents())
                .isEmpty();
    }

    @Test
    void bucketsAreMadeListedAndDeleted() {
        bucket("bucket-one");
        SdkClients.fails(409, "BucketAlreadyOwnedByYou", () -> bucket("bucket-one"));
        assertThat(client.listBuckets().buckets().stream().map(each -> each.name()))
                .contains("bucket-one");
        client.headBucket(h -> h.bucket("bucket-one"));
        assertThat(client.getBucketLocation(g -> g.bucket("bucket-one")).locationConstraintAsString())
                .isNullOrEmpty();
        put("bucket-one", "deep/in/it", "x");
        SdkClients.fails(409, "BucketNotEmpty", () -> client.deleteBucket(d -> d.bucket("bucket-one")));
        client.deleteObject(d -> d.bucket("bucket-one").key("deep/in/it"));
        client.deleteBucket(d -> d.bucket("bucket-one"));
        assertThatThrownBy(() -> client.headBucket(h -> h.bucket("bucket-one")))
                .isInstanceOf(NoSuchBucketException.class);
        SdkClients.fails(404, "NoSuchBucket", () -> client.listObjectsV2(l -> l.bucket("bucket-one")));
        SdkClients.fails(404, "NoSuchBucket", () -> put("bucket-one", "deep/in/it", "x"));
        SdkClients.fails(404, "NoSuchBucket", () -> client.deleteBucket(d -> d.bucket("bucket-one")));
        SdkClients.fails(
                404,
                "NoSuchBucket",
                () -> client.getObjectAsBytes(g -> g.bucket("bucket-one").key("k")));
        SdkClients.fails(
                404,
                "NoSuchBucket",
                () -> client.deleteObject(d -> d.bucket("bucket-one").key("k")));
    }

    @Test
    void severalKeysAreDeletedAtOnce() {
        String bucket = bucket("deletions");
        List<String> keys = List.of("a/1", "a/2", "b", "b/c", "d&<e>");
        keys.forEach(key -> put(bucket, key, key));
        List<ObjectIdentifier> identifiers = new ArrayList<>(keys.stream()
                .map(key -> ObjectIdentifier.builder().key(key).build())
                .toList());
        identifiers.add(ObjectIdentifier.builder().key("none").build());
        assertThat(client.deleteObjects(d -> d.bucket(bucket)
                                .delete(Delete.builder().objects(identifiers).build()))
                        .deleted())
                .hasSize(6);
        assertThat(client.listObjectsV2(l -> l.bucket(bucket)).contents()).isEmpty();
        client.deleteBucket(d -> d.bucket(bucket));
    }
}
