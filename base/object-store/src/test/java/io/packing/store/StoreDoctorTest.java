// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerOptions;
import io.packing.store.StoreExamination.Finding;
import io.packing.store.credentials.AwsSettings;
import io.packing.storeservers.AwsServices.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The findings of examinations of stores. */
@NullUnmarked
@Timeout(60)
class StoreDoctorTest {
    @TempDir
    private Path home;

    private AwsProcess process;

    @BeforeEach
    void start() throws IOException {
        process = new AwsProcess(Files.createDirectory(home.resolve("process")));
    }

    @AfterEach
    void stop() {
        process.close();
    }

    private StoreExamination examine(StoreOptions options) {
        return new StoreDoctor(options, process.settings(), Clock.systemUTC(), ObjectStoreContract.random()).examine();
    }

    private StoreExamination examine(Map<String, String> more) {
        return examine(process.options(more));
    }

    private static String text(StoreExamination examination) {
        return String.join(
                "\n", examination.findings().stream().map(Finding::text).toList());
    }

    @Test
    void aStoreThatIsWellHasNoFindingsAndIsLeftAsItWas() throws IOException {
        try (S3Server server =
                S3Server.start(S3ServerOptions.of(Files.createDirectory(home.resolve("s3")), "bucket"))) {
            StoreOptions options = S3Fixtures.options(server, "s3://bucket/p");
            StoreExamination found = examine(options);
            assertThat(found.findings()).isEmpty();
            assertThat(found.store()).isEqualTo("s3://bucket/p");
            assertThat(found.region()).isEqualTo("us-east-1");
            assertThat(found.conditionalPut()).isTrue();
            assertThat(Duration.ofMillis(found.clockSkewMs()).abs()).isLessThan(Duration.ofMinutes(1));
            assertThat(found.credentials().source()).isEqualTo("keys");
            assertThat(found.credentials().identity()).as("no question to AWS").isEqualTo("access");
            try (ObjectStore store = ObjectStores.open(options)) {
                assertThat(store.list("", "", 10)).isEmpty();
            }
        }
    }

    @Test
    void aDirectoryIsExaminedToo() throws IOException {
        Path store = Files.createDirectory(home.resolve("store"));
        StoreExamination found = examine(StoreOptions.from(Map.of("packing.store", "file://" + store)));
        assertThat(found.findings()).isEmpty();
        assertThat(found.credentials()).isNull();
        assertThat(found.conditionalPut()).isTrue();
        StoreExamination gone = examine(StoreOptions.from(Map.of("packing.store", "file://" + home + "/gone")));
        assertThat(gone.hasProblem()).isTrue();
        assertThat(text(gone)).contains("create it or fix the path");
    }

    @Test
    void theIdentityIsTheOneThatTheTokenServiceTells() throws IOException {
        process.webIdentity();
        StoreExamination found = examine(Map.of());
        assertThat(found.credentials().source()).isEqualTo("web_identity");
        assertThat(found.credentials().identity()).isEqualTo("arn:aws:sts::123456789012:assumed-role/packing/test");
        assertThat(process.services.calls(Service.STS)).hasSize(2);
    }

    @Test
    void aStoreThatIgnoresConditionsIsAProblem() {
        StoreExamination found = examine(Map.of("packing.s3.access.key", "a", "packing.s3.secret.key", "s"));
        assertThat(found.conditionalPut()).isFalse();
        assertThat(found.hasProblem()).isTrue();
        assertThat(text(found)).contains("ignores the condition of a PUT");
    }

    @Test
    void aSourceThatGivesNothingIsNamedAndTheStoreIsNotAsked() throws IOException {
        process.webIdentity();
        process.services.refuse(Service.STS, 100, 403, "AccessDenied");
        StoreExamination found = examine(Map.of());
        assertThat(found.credentials().source()).isEqualTo("web_identity");
        assertThat(found.credentials().identity()).isNull();
        assertThat(text(found)).contains(AwsProcess.ROLE, "AccessDenied");
        assertThat(process.services.calls(Service.STORE)).isEmpty();
        process.variable("AWS_SECRET_ACCESS_KEY", "s");
        assertThat(text(examine(Map.of()))).contains("AWS_SECRET_ACCESS_KEY without AWS_ACCESS_KEY_ID");
    }

    @Test
    void clocksThatAreApartAreMeasured() {
        Clock behind = Clock.offset(Clock.systemUTC(), Duration.ofMinutes(-10));
        StoreOptions options = process.options(Map.of("packing.s3.access.key", "a", "packing.s3.secret.key", "s"));
        StoreExamination found =
                new StoreDoctor(options, process.settings(), behind, ObjectStoreContract.random()).examine();
        assertThat(Duration.ofMillis(found.clockSkewMs())).isBetween(Duration.ofMinutes(9), Duration.ofMinutes(11));
        assertThat(text(found)).contains("s apart", "set the clock");
    }

    @Test
    void settingsWithoutEffectAndOtherServersAreNotedAndAreNoProblems() throws IOException {
        process.podIdentity();
        process.variable("AWS_PROFILE", "p");
        process.variable("AWS_ACCESS_KEY_ID", "a");
        process.variable("AWS_SECRET_ACCESS_KEY", "s");
        StoreExamination found = examine(Map.of());
        assertThat(found.findings().get(0))
                .isEqualTo(
                        new Finding(
                                false,
                                "AWS_PROFILE, aws.containerCredentialsFullUri: set, too, and without effect, since the source that is used goes before"));
        assertThat(new AwsSettings(Map.of(), Map.of("AWS_ENDPOINT_URL_S3", "http://other")).otherServer())
                .hasValue("AWS_ENDPOINT_URL_S3=http://other");
    }

    @Test
    void aRoleThatMayNotPutIsAProblemWithTheRight() {
        process.services.refusePuts("AccessDenied");
        StoreExamination found = examine(Map.of("packing.s3.access.key", "a", "packing.s3.secret.key", "s"));
        assertThat(text(found)).contains("allow them s3:PutObject on bucket bucket");
        assertThat(found.conditionalPut()).isNull();
    }
}
