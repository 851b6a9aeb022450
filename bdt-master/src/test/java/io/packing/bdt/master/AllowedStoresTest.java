// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A master goes to the stores that its operator named, whatever its clients say. */
class AllowedStoresTest {
    @TempDir
    private Path directory;

    private static BdtMasterOptions config(Path data, String stores) {
        return BdtMasterOptions.from(
                Map.of("bdt.data.dir", data.toString(), "bdt.port", "0", BdtMasterOptions.STORES.key(), stores));
    }

    private BdtMaster master(String stores) throws IOException {
        return BdtMaster.start(config(directory.resolve("master"), stores));
    }

    private static Map<String, String> s3(String store, String... more) {
        Map<String, String> options = new HashMap<>(Map.of("packing.store", store));
        for (int i = 0; i < more.length; i += 2) {
            options.put(more[i], more[i + 1]);
        }
        return options;
    }

    private static void refused(BdtMaster master, Map<String, String> options, String named) {
        assertThatIllegalArgumentException()
                .as(options.toString())
                .isThrownBy(() -> master.open(options))
                .withMessageContaining("may not use " + named + ":")
                .withMessageContaining("--store " + named + "`")
                .withMessageContaining("bdt.stores");
    }

    @Test
    void aMasterThatWasToldNoStoreOpensNoneAndSaysHowToAllowIt() throws IOException {
        try (BdtMaster master = master("")) {
            refused(master, s3("file://" + directory.toRealPath()), "file://" + directory.toRealPath());
            refused(
                    master,
                    s3("s3://bucket/p", "packing.s3.endpoint", "http://127.0.0.1:9"),
                    "s3://bucket/p@http://127.0.0.1:9");
        }
    }

    @Test
    void storesOfOtherCloudsAreAllowedByBucketContainerAndServer() throws IOException {
        try (BdtMaster master = master("gs://bucket/a, abfs://box@account1/a@http://127.0.0.1:9")) {
            refused(master, s3("gs://bucket/b"), "gs://bucket/b");
            refused(master, s3("gs://other/a"), "gs://other/a");
            refused(
                    master,
                    s3("gs://bucket/a", "packing.s3.endpoint", "http://127.0.0.1:9"),
                    "gs://bucket/a@http://127.0.0.1:9");
            refused(master, s3("abfs://box@account1/a"), "abfs://box@account1/a");
            refused(
                    master,
                    s3("abfs://box@account2/a", "packing.s3.endpoint", "http://127.0.0.1:9"),
                    "abfs://box@account2/a@http://127.0.0.1:9");
            // The modules that open them are not here.
            assertThatIOException()
                    .isThrownBy(() -> master.open(s3("gs://bucket/a/x")))
                    .withMessageContaining("object-store-clouds");
            assertThatIOException()
                    .isThrownBy(() ->
                            master.open(s3("abfss://box@account1/a/x", "packing.s3.endpoint", "http://127.0.0.1:9")))
                    .withMessageContaining("object-store-clouds");
        }
    }

    @Test
    void whatTheErrorNamesIsWhatAllowsTheStore() throws IOException {
        Path store = Files.createDirectory(directory.resolve("a,b @ c"));
        Map<String, String> options = s3(store.toUri().toString());
        String named;
        try (BdtMaster master = master("")) {
            IllegalArgumentException refusal =
                    catchThrowableOfType(IllegalArgumentException.class, () -> master.open(options));
            named = String.valueOf(refusal.getMessage()).replaceAll("(?s).*--store (.*)`.*", "$1");
        }
        try (BdtMaster master = master(named)) {
            assertThat(master.open(options).list(FilePath.ROOT, "", 1)).isPresent();
        }
    }

    @Test
    void nothingIsWrittenOutsideOfTheDirectoriesThatWereAllowed() throws IOException {
        Path root = directory.toRealPath();
        Path data = Files.createDirectories(root.resolve("data"));
        Path data2 = Files.createDirectories(root.resolve("data2"));
        Path secret = Files.createDirectories(root.resolve("secret"));
        Files.createSymbolicLink(data.resolve("link"), secret);
        try (BdtMaster master = master("file://" + data)) {
            for (String outside : List.of(
                    "file://" + data2,
                    "file://" + secret,
                    "file://" + data + "/link",
                    "file://" + data + "/../secret",
                    "file://" + data + "/%2e%2e/secret",
                    "file:" + data + "/link/../../secret",
                    "file://" + root)) {
                assertThatIllegalArgumentException()
                        .as(outside)
                        .isThrownBy(() -> master.open(s3(outside)))
                        .withMessageContaining("may not use");
            }
        }
        for (Path untouched : List.of(data2, secret)) {
            try (Stream<Path> files = Files.list(untouched)) {
                assertThat(files).as("%s", untouched).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:9001",
                "https://127.0.0.1:9000",
                "http://127.0.0.1:9000/x",
                "http://evil:9000",
                ""
            })
    void anotherEndpointThanTheOneOfTheStoreIsNotAskedAnything(String endpoint) throws IOException {
        try (BdtMaster master = master("s3://bucket/data@http://127.0.0.1:9000")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> master.open(s3("s3://bucket/data", "packing.s3.endpoint", endpoint)))
                    .withMessageContaining("it is allowed s3://bucket/data@http://127.0.0.1:9000.");
        }
    }

    @Test
    void neitherPathStyleNorRegionLeadElsewhere() throws IOException {
        String endpoint = "http://127.0.0.1:9000";
        try (BdtMaster master = master("s3://bucket/data@" + endpoint + ", s3://own/x")) {
            refused(
                    master,
                    s3("s3://bucket/data", "packing.s3.endpoint", endpoint, "packing.s3.path.style", "false"),
                    "s3://bucket/data@http://bucket.127.0.0.1:9000");
            refused(master, s3("s3://own/x", "packing.s3.region", "cn-north-1"), "s3://own/x@aws-cn");
            refused(master, s3("s3://own/x", "packing.s3.endpoint", endpoint), "s3://own/x@" + endpoint);
            refused(master, s3("s3://own/x2"), "s3://own/x2");
            refused(master, s3("s3://own"), "s3://own");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> master.open(s3("s3://own/x", "packing.s3.region", "evil.com/")))
                    .withMessageContaining("packing.s3.region");
        }
    }

    @Test
    void spellingsOfOneStoreAreOneMount() throws IOException {
        Path store = Files.createDirectories(directory.resolve("store")).toRealPath();
        Files.createSymbolicLink(directory.resolve("alias"), store);
        try (BdtMaster master = master("file://" + store)) {
            Mount mount = master.openMount(s3("file://" + store));
            for (String spelling : List.of("file:" + store, "file://" + store + "//", "file://" + store + "/x/..")) {
                assertThat(master.openMount(s3(spelling))).as(spelling).isSameAs(mount);
            }
            assertThat(master.openMount(s3("file://" + directory.toRealPath() + "/alias")))
                    .isSameAs(mount);
        }
    }

    @Test
    void aFolderUnderTheNameOfAnotherSpellingIsGoneOnWith() throws IOException {
        Path store = Files.createDirectories(directory.resolve("store")).toRealPath();
        String spelling = "file:" + store;
        Path before = directory.resolve("master").resolve(DataDirectory.mountId(spelling));
        try (BdtMaster master = master("file://" + store)) {
            Mount mount = master.openMount(s3(spelling));
            assertThat(mount.id()).isNotEqualTo(before.getFileName().toString());
            // After an end in order the next start skips no position.
            master.close();
            Files.move(directory.resolve("master").resolve(mount.id()), before);
        }
        try (BdtMaster master = master("file://" + store)) {
            assertThat(master.openMount(s3(spelling)).table().position()).isZero();
            assertThat(before).doesNotExist();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"bucket", "s3://b@http:x", "s3://x/p@ftp://host", "http://host", "s3://bu cket", ",s3://abc"})
    void aMalformedStoreIsRefusedAtTheStart(String stores) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config(directory, stores))
                .withMessageContaining("option bdt.stores");
    }

    @Test
    void prefixesMayHaveCommasAndAtSignsInThem() {
        assertThat(AllowedStores.parse("s3://bucket/user@home,1, s3://other@https://Host:443 ,file:///d,e"))
                .hasToString("s3://bucket/user@home,1, s3://other@https://host, file:///d,e");
    }
}
