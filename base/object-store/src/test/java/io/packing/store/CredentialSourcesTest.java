// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.packing.store.credentials.AskedCredentials;
import io.packing.store.credentials.CredentialsException;
import io.packing.store.credentials.Source;
import io.packing.storeservers.AwsServices;
import io.packing.storeservers.AwsServices.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each source of credentials of AWS's default chain, at services on this machine. The machine's role is always there, as on a
 * node of a cluster: a source that was asked for and fails must not become this role.
 */
@NullUnmarked
@Timeout(60)
class CredentialSourcesTest {
    @TempDir
    private Path home;

    private AwsProcess process;

    @BeforeEach
    void start() throws IOException {
        process = new AwsProcess(home);
    }

    @AfterEach
    void stop() {
        process.close();
    }

    private void assertFails(String... parts) {
        try (AskedCredentials credentials = process.credentials()) {
            credentials.resolveCredentials();
        } catch (CredentialsException e) {
            assertThat(e.getMessage()).contains(parts).contains("Next: ");
            assertThat(process.services.calls(Service.MACHINE))
                    .as("the machine's role")
                    .isEmpty();
            return;
        }
        throw new AssertionError("no failure");
    }

    @Test
    void aPodsIdentityBecomesItsRole() throws IOException {
        process.webIdentity();
        process.set("aws.roleSessionName", "of-a-test");
        assertThat(process.key()).isEqualTo("ASIASTS1");
        assertThat(process.services.calls(Service.STS))
                .singleElement()
                .satisfies(call -> assertThat(call.text())
                        .contains("AssumeRoleWithWebIdentity", "token-of-the-pod", AwsProcess.ROLE, "of-a-test"));
    }

    @Test
    void aPodsRoleThatIsRefusedIsNamedAndTheMachinesIsNotTaken() throws IOException {
        process.webIdentity();
        process.services.refuse(Service.STS, 100, 403, "AccessDenied");
        assertFails(AwsProcess.ROLE, "aws.roleArn and aws.webIdentityTokenFile", "AccessDenied", "trust policy");
    }

    @Test
    void aPodsTokenThatIsGoneIsNamed() throws IOException {
        process.webIdentity();
        Files.delete(home.resolve("token"));
        assertFails(AwsProcess.ROLE, home.resolve("token").toString());
    }

    @Test
    void thePodsIdentityOfEksIsUsedWithItsToken() throws IOException {
        process.podIdentity();
        assertThat(process.key()).isEqualTo("ASIAAGENT1");
        assertThat(process.services.calls(Service.AGENT))
                .singleElement()
                .satisfies(call -> assertThat(call.headers()).containsEntry("authorization", AwsServices.AGENT_TOKEN));
    }

    @Test
    void theAgentOfEksThatRefusesIsNamed() throws IOException {
        process.podIdentity();
        Files.writeString(home.resolve("agent-token"), "of another pod");
        assertFails("the role of this container", "aws.containerCredentialsFullUri", AwsServices.AGENT);
        process.services.refuse(Service.AGENT, 100, 404, "ResourceNotFoundException");
        Files.writeString(home.resolve("agent-token"), AwsServices.AGENT_TOKEN);
        assertFails("the role of this container", "not found");
    }

    @Test
    void theRoleOfATaskIsUsed() {
        process.set("aws.containerServiceEndpoint", process.services.endpoint().toString());
        process.set("aws.containerCredentialsPath", AwsServices.AGENT);
        assertThat(process.key()).isEqualTo("ASIAAGENT1");
    }

    @Test
    void theRoleOfTheMachineIsUsedWhenNothingElseIsAskedForAndByATokenOfItsMetadata() {
        assertThat(process.key()).isEqualTo("ASIAMACHINE1");
        assertThat(process.services.calls(Service.MACHINE).get(0).text()).isEqualTo("PUT /latest/api/token");
    }

    @Test
    void withoutAnySourceTheMessageSaysWhatToSet() {
        process.set("aws.disableEc2Metadata", "true");
        assertFails("aws.disableEc2Metadata is true", "PACKING_S3_ACCESS_KEY", "~/.aws", "no setting");
    }

    @Test
    void keysOfTheEnvironmentAndOfPropertiesAreUsedWithTheirToken() {
        process.variable("AWS_ACCESS_KEY_ID", "of-environment");
        process.variable("AWS_SECRET_ACCESS_KEY", "secret");
        assertThat(process.key()).isEqualTo("of-environment");
        process.set("aws.accessKeyId", "of-properties");
        process.set("aws.secretAccessKey", "secret");
        assertThat(process.key()).isEqualTo("of-properties");
    }

    @ParameterizedTest
    @CsvSource({
        "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY",
        "AWS_SECRET_ACCESS_KEY, AWS_ACCESS_KEY_ID",
        "AWS_SESSION_TOKEN, AWS_ACCESS_KEY_ID",
        "AWS_ROLE_ARN, AWS_WEB_IDENTITY_TOKEN_FILE",
        "AWS_WEB_IDENTITY_TOKEN_FILE, AWS_ROLE_ARN",
        "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE, AWS_CONTAINER_CREDENTIALS_FULL_URI",
    })
    void halfOfASourceIsRefusedWithTheNameOfTheOther(String given, String missing) {
        process.variable(given, "s3cret");
        assertFails(given, missing);
        assertThatExceptionOfType(CredentialsException.class)
                .isThrownBy(process::credentials)
                .satisfies(e -> assertThat(e.toString()).doesNotContain("s3cret"));
    }

    @Test
    void theFirstSourceThatIsAskedForIsTheOneInTheOrderOfTheSdk() throws IOException {
        process.podIdentity();
        assertThat(process.credentials().source().kind()).isEqualTo(Source.Kind.CONTAINER);
        process.config("[default]\naws_access_key_id = of-profile\naws_secret_access_key = s\n");
        assertThat(process.credentials().source().kind()).isEqualTo(Source.Kind.PROFILE);
        process.webIdentity();
        assertThat(process.credentials().source().kind()).isEqualTo(Source.Kind.WEB_IDENTITY);
        process.variable("AWS_ACCESS_KEY_ID", "a");
        process.variable("AWS_SECRET_ACCESS_KEY", "s");
        assertThat(process.credentials().source().kind()).isEqualTo(Source.Kind.ENVIRONMENT);
        process.set("aws.accessKeyId", "a");
        process.set("aws.secretAccessKey", "s");
        assertThat(process.credentials().source().kind()).isEqualTo(Source.Kind.PROPERTIES);
        StoreOptions keys = process.options(Map.of("packing.s3.access.key", "a", "packing.s3.secret.key", "s"));
        assertThat(S3Connection.credentials(keys, process.settings()).source().kind())
                .isEqualTo(Source.Kind.KEYS);
    }

    @Test
    void anOverloadedTokenServiceIsAskedAgain() throws IOException {
        process.webIdentity();
        process.services.refuse(Service.STS, 5, 503, "ServiceUnavailable");
        process.open(Map.of()).close();
        assertThat(process.services.calls(Service.STS)).hasSize(6);
        assertThat(process.services.calls(Service.STORE))
                .singleElement()
                .satisfies(call -> assertThat(call.key()).isEqualTo("ASIASTS1"));
    }

    @Test
    void aTokenServiceThatStaysAwayIsNamedAndNotTheStore() throws IOException {
        process.webIdentity();
        process.services.refuse(Service.STS, 10_000, 503, "ServiceUnavailable");
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> process.open(Map.of("packing.s3.retry.timeout", "1s")))
                .withMessageContaining(AwsProcess.ROLE)
                .withMessageNotContaining("packing.s3.endpoint");
    }

    @Test
    void credentialsThatAreAboutToEndAreRenewedBeforeTheNextRequest() throws IOException {
        process.webIdentity();
        process.services.life(Duration.ofSeconds(30));
        try (AskedCredentials credentials = process.credentials()) {
            assertThat(credentials.resolveCredentials().accessKeyId()).isEqualTo("ASIASTS1");
            assertThat(credentials.resolveCredentials().accessKeyId()).isNotEqualTo("ASIASTS1");
        }
    }

    @Test
    void theRegionIsThatOfTheMachineWhoseRoleIsUsed() {
        StoreOptions atAws = StoreOptions.from(Map.of("packing.store", "s3://bucket/p"));
        try (S3Connection connection = S3Connection.open(atAws, process.settings())) {
            assertThat(connection.region().name()).isEqualTo(AwsServices.MACHINE_REGION);
        }
        process.set("aws.region", "eu-central-1");
        try (S3Connection connection = S3Connection.open(atAws, process.settings())) {
            assertThat(connection.region().name()).isEqualTo("eu-central-1");
        }
    }

    @Test
    void theRegionOfTheOptionGoesBeforeThatOfTheProfileAndTheProfileBeforeTheDefault() throws IOException {
        process.config("[default]\nregion = ap-south-1\naws_access_key_id = a\naws_secret_access_key = s\n");
        process.open(Map.of()).close();
        process.open(Map.of("packing.s3.region", "eu-west-3")).close();
        process.config("[default]\naws_access_key_id = a\naws_secret_access_key = s\n");
        process.open(Map.of()).close();
        assertThat(process.services.calls(Service.STORE))
                .extracting(AwsServices.Call::region)
                .containsExactly("ap-south-1", "eu-west-3", "us-east-1");
    }
}
