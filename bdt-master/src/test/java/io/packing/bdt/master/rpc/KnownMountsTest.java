// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.DeniedException;
import io.packing.bdt.master.texts.MasterTexts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the stores that a master keeps for its mounts, and of the callers that learn them. */
class KnownMountsTest {
    private static final Map<String, String> PHOTOS = Map.of(
            "packing.store", "s3://bucket/photos",
            "packing.s3.endpoint", "http://127.0.0.1:9000",
            "packing.s3.region", "eu-west-1",
            "packing.s3.access.key", "secret-access",
            "packing.s3.secret.key", "secret-secret",
            "packing.s3.requester.pays", "true",
            "packing.s3.proxy", "http://of-one-process:3128",
            "packing.gc.grace", "2h");
    private static final Map<String, String> PLACE = Map.of(
            "packing.store", "s3://bucket/photos",
            "packing.s3.endpoint", "http://127.0.0.1:9000",
            "packing.s3.region", "eu-west-1",
            "packing.s3.requester.pays", "true");

    @TempDir
    Path directory;

    private KnownMounts known;

    @BeforeEach
    void open() throws IOException {
        known = new KnownMounts(MasterTexts.in(directory), false);
    }

    private static OpenCall by(String name, boolean mayMake, Map<String, String> options) {
        return new OpenCall(options, mayMake, false, false, name);
    }

    private static OpenCall create(String name, Map<String, String> options) {
        return new OpenCall(options, true, false, true, name);
    }

    private Map<String, String> found(String name) throws IOException {
        return KnownMounts.ofStore(
                known.completed(by(name, false, Map.of()), false).options());
    }

    @Test
    void theOnlyMountNeedsNoNameAndAnyMountHasItsId() throws IOException {
        known.note("id-1", by("", true, PHOTOS), true);
        assertThat(found("")).isEqualTo(PLACE);
        assertThat(found("id-1")).isEqualTo(PLACE);
    }

    @Test
    void noCredentialAndNoOtherOptionIsKept() throws IOException {
        known.note("id-1", create("photos", PHOTOS), true);
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                assertThat(Files.readString(file))
                        .contains("s3://bucket/photos")
                        .doesNotContain("secret", "grace");
            }
        }
        assertThat(known.completed(by("photos", true, Map.of()), false).options())
                .isEqualTo(PLACE);
    }

    @Test
    void whatIsKnownIsThereAfterAStart() throws IOException {
        known.note("id-1", create("photos", PHOTOS), true);
        open();
        assertThat(found("photos")).isEqualTo(PLACE);
        known.note("id-2", create("logs", Map.of("packing.store", "file:///srv/my logs")), true);
        assertThat(found("logs")).containsExactly(Map.entry("packing.store", "file:///srv/my logs"));
    }

    @Test
    void oneOfSeveralMountsHasToBeNamedAndOnlyMakersLearnTheNames() throws IOException {
        known.note("id-1", create("photos", PHOTOS), true);
        known.note("id-2", by("", true, Map.of("packing.store", "file:///two")), true);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> known.completed(by("", true, Map.of()), false))
                .withMessageContaining("packing://MOUNT@HOST:PORT/PATH; it knows photos, id-2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> known.completed(by("", false, Map.of()), false))
                .withMessageEndingWith("packing://MOUNT@HOST:PORT/PATH");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> known.completed(by("fotos", false, Map.of()), false))
                .withMessage("this BDT master knows no mount 'fotos'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> known.completed(by("fotos", true, Map.of()), false))
                .withMessage("this BDT master knows no mount 'fotos'; it knows photos, id-2");
    }

    @Test
    void aMasterWithoutMountsSaysHowToMakeOne() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> found(""))
                .withMessageContaining("packing mounts create packing://HOST:PORT/ --store");
    }

    @Test
    void aClientThatIsToldNoPlacesIsToldNoStore() {
        known.note("id-1", by("", true, PHOTOS), true);
        assertThatThrownBy(() -> known.completed(by("", false, Map.of()), true))
                .isInstanceOf(DeniedException.class)
                .hasMessageContaining("bdt.places=daemons")
                .hasMessageNotContaining("bucket");
    }

    @Test
    void aClientThatMayMakeNoMountsChangesNothing() throws IOException {
        known.note("id-1", by("", true, PHOTOS), true);
        known.note("id-1", by("", false, Map.of("packing.store", "s3://evil/photos")), true);
        known.note("id-2", by("", false, Map.of("packing.store", "s3://evil/more")), true);
        assertThat(found("")).isEqualTo(PLACE);
    }

    @Test
    void aClientsOtherPlaceDoesNotLeadTheMasterElsewhere() throws IOException {
        known.note("id-1", by("", true, PHOTOS), true);
        OpenCall call = known.completed(by("", false, Map.of("packing.s3.endpoint", "http://evil:9000")), false);
        assertThat(KnownMounts.ofStore(call.options())).isEqualTo(PLACE);
    }

    @Test
    void aNameIsGivenOnceAndKept() throws IOException {
        known.note("id-1", create("photos", PHOTOS), true);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> known.checkName("id-2", create("photos", PLACE)))
                .withMessageContaining("another mount of this BDT master is called 'photos'");
        assertThatIllegalArgumentException().isThrownBy(() -> known.checkName("id-2", create("a b", PLACE)));
        known.note("id-1", by("", true, PHOTOS), true);
        assertThat(found("photos")).isEqualTo(PLACE);
    }

    @Test
    void severalGroupsOfMastersUnderstandIdsOnly() throws IOException {
        known = new KnownMounts(MasterTexts.in(directory), true);
        known.note("id-1", by("", true, PHOTOS), true);
        assertThat(found("id-1")).isEqualTo(PLACE);
        assertThatIllegalArgumentException().isThrownBy(() -> found(""));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> known.checkName("id-2", create("logs", PLACE)))
                .withMessageContaining("no names but their ids");
    }
}
