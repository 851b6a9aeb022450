// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.packing.store.credentials.AskedCredentials;
import io.packing.store.credentials.CredentialsException;
import io.packing.storeservers.AwsServices.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The kinds of profile of AWS's configuration. A profile that cannot be used never becomes the machine's role. */
@NullUnmarked
@Timeout(60)
class ProfileSourcesTest {
    private static final String LOGIN = """
            [default]
            sso_session = work
            sso_account_id = 123456789012
            sso_role_name = packing
            [sso-session work]
            sso_region = eu-central-1
            sso_start_url = http://127.0.0.1/start
            """;

    @TempDir
    private Path home;

    private AwsProcess process;

    @BeforeEach
    void start() throws IOException {
        process = new AwsProcess(home);
        process.variable("HOME", home.toString());
    }

    @AfterEach
    void stop() {
        process.close();
    }

    private void assertFails(String... parts) {
        assertThatExceptionOfType(CredentialsException.class)
                .isThrownBy(() -> process.key())
                .satisfies(e -> assertThat(e.getMessage()).contains(parts).contains("Next: "));
        assertThat(process.services.calls(Service.MACHINE))
                .as("the machine's role")
                .isEmpty();
    }

    @Test
    void aRoleIsAssumedByTheKeysOfItsSourceProfile() throws IOException {
        process.config("""
                [default]
                role_arn = %s
                source_profile = base
                external_id = of-a-test
                [profile base]
                aws_access_key_id = of-base
                aws_secret_access_key = s
                """.formatted(AwsProcess.ROLE));
        assertThat(process.key()).isEqualTo("ASIASTS1");
        assertThat(process.services.calls(Service.STS)).singleElement().satisfies(call -> {
            assertThat(call.text()).contains("Action=AssumeRole", AwsProcess.ROLE, "of-a-test");
            assertThat(call.key()).isEqualTo("of-base");
        });
    }

    @Test
    void aRoleIsAssumedByARoleOfAnotherProfile() throws IOException {
        process.config("""
                [profile last]
                role_arn = %s
                source_profile = middle
                [profile middle]
                role_arn = arn:aws:iam::123456789012:role/middle
                source_profile = middle
                aws_access_key_id = of-middle
                aws_secret_access_key = s
                """.formatted(AwsProcess.ROLE));
        process.set("aws.profile", "last");
        assertThat(process.key()).isEqualTo("ASIASTS2");
        assertThat(process.services.calls(Service.STS))
                .extracting(call -> call.key())
                .containsExactly("of-middle", "ASIASTS1");
    }

    @ParameterizedTest
    @CsvSource({"Ec2InstanceMetadata, ASIAMACHINE1", "EcsContainer, ASIAAGENT1", "Environment, of-environment"})
    void aRoleIsAssumedByTheSourceThatItNames(String source, String by) throws IOException {
        process.podIdentity();
        process.config("[profile p]\nrole_arn = %s\ncredential_source = %s\n".formatted(AwsProcess.ROLE, source));
        process.set("aws.profile", "p");
        process.variable("AWS_ACCESS_KEY_ID", source.equals("Environment") ? "of-environment" : "");
        process.variable("AWS_SECRET_ACCESS_KEY", source.equals("Environment") ? "s" : "");
        if (source.equals("Environment")) {
            // Keys of the environment go before a profile; the role of one is asked for by it alone.
            assertThat(process.key()).isEqualTo("of-environment");
            return;
        }
        assertThat(process.key()).isEqualTo("ASIASTS2");
        assertThat(process.services.calls(Service.STS))
                .singleElement()
                .satisfies(call -> assertThat(call.key()).isEqualTo(by));
    }

    @Test
    void aRoleIsAssumedByAnIdentityThatTheProfileNames() throws IOException {
        Path token = Files.writeString(home.resolve("token"), "token-of-the-profile");
        process.config("[default]\nrole_arn = %s\nweb_identity_token_file = %s\n".formatted(AwsProcess.ROLE, token));
        assertThat(process.key()).isEqualTo("ASIASTS1");
        assertThat(process.services.calls(Service.STS))
                .singleElement()
                .satisfies(call -> assertThat(call.text()).contains("token-of-the-profile"));
    }

    @Test
    void aProgramPrintsTheKeys() throws IOException {
        Path program = Files.writeString(home.resolve("keys.sh"), """
                echo '{"Version": 1, "AccessKeyId": "of-program", "SecretAccessKey": "s"}'
                """);
        process.config("[default]\ncredential_process = sh %s\n".formatted(program));
        assertThat(process.key()).isEqualTo("of-program");
        Files.writeString(program, "echo 'the vault is sealed' >&2; exit 3\n");
        assertFails("the program of profile default", "run the credential_process");
    }

    /** Returns the file of a login, which has more fields than its end. */
    private Path signIn(String end, String... more) throws IOException {
        // The name is the SHA-1 of "work", as AWS's command line writes it.
        Path cache = Files.createDirectories(home.resolve(".aws/sso/cache"));
        return Files.writeString(
                cache.resolve("e274eeff768c6396088ec6eb091f4bf4d47ab1e0.json"),
                "{\"accessToken\": \"token-of-login\", \"expiresAt\": \"%s\"%s}".formatted(end, String.join("", more)));
    }

    private static final String RENEWABLE =
            ", \"clientId\": \"c\", \"clientSecret\": \"s\", \"refreshToken\": \"renewing-0\", \"startUrl\": \"u\"";

    @Test
    void aLoginIsRenewedBeforeItEndsAndKept() throws IOException {
        process.config(LOGIN);
        Path file = signIn("2020-01-01T00:00:00Z", RENEWABLE);
        assertThat(process.key()).startsWith("ASIALOGIN");
        assertThat(process.services.calls(Service.RENEWAL))
                .singleElement()
                .satisfies(call -> assertThat(call.text()).contains("refresh_token", "renewing-0", "\"c\""));
        assertThat(process.services.calls(Service.LOGIN))
                .singleElement()
                .satisfies(call -> assertThat(call.headers()).containsEntry("x-amz-sso_bearer_token", "renewed-1"));
        assertThat(file).content().contains("renewed-1", "renewing-1", "\"clientSecret\":\"s\"", "\"startUrl\":\"u\"");
        assertThat(Files.getPosixFilePermissions(file))
                .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        // The kept login holds for an hour, so it is not renewed again.
        assertThat(process.key()).startsWith("ASIALOGIN");
        assertThat(process.services.calls(Service.RENEWAL)).hasSize(1);
    }

    @Test
    void aLoginWhoseRenewalIsRefusedSaysWhyUnlessItStillHolds() throws IOException {
        process.config(LOGIN);
        Path unused = signIn("2020-01-01T00:00:00Z", RENEWABLE);
        process.services.refuse(Service.RENEWAL, 100, 400, "InvalidGrantException");
        assertFails(
                "ended at 2020-01-01T00:00:00Z",
                "InvalidGrantException by the test",
                "aws sso login --profile default");
        Path other = signIn(Instant.now().plusSeconds(120).toString(), RENEWABLE);
        assertThat(other).exists();
        assertThat(process.key()).startsWith("ASIALOGIN");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{\"accessToken\": \"t\", \"expiresAt\": \"soon\"}", "{\"accessToken\": 7}"})
    void aLoginThatCannotBeReadIsNamed(String text) throws IOException {
        process.config(LOGIN);
        Path file = Files.writeString(signIn("2020-01-01T00:00:00Z"), text);
        assertFails(file.toString());
    }

    @Test
    void aLoginGivesItsRole() throws IOException {
        process.config(LOGIN);
        Path unused = signIn("2099-01-01T00:00:00Z");
        assertThat(process.key()).isEqualTo("ASIALOGIN1");
        assertThat(process.services.calls(Service.LOGIN)).singleElement().satisfies(call -> {
            assertThat(call.text()).contains("role_name=packing", "account_id=123456789012");
            assertThat(call.headers()).containsEntry("x-amz-sso_bearer_token", "token-of-login");
        });
    }

    @Test
    void aLoginThatEndedOrNeverWasAsksForAnother() throws IOException {
        process.config(LOGIN);
        assertFails("there is no login", "aws sso login --profile default");
        Path unused = signIn("2020-01-01T00:00:00Z");
        assertFails("ended at 2020-01-01T00:00:00Z", "aws sso login --profile default");
        assertThat(process.services.calls(Service.LOGIN)).isEmpty();
    }

    @Test
    void aProfileThatCannotBeUsedSaysWhy() throws IOException {
        process.set("aws.profile", "p");
        String keys = "aws_access_key_id = a\naws_secret_access_key = s\n";
        String role = "role_arn = " + AwsProcess.ROLE + "\n";
        for (List<String> each : List.of(
                List.of("[default]\n" + keys, "there is no profile p", "aws.profile=p", "there are default"),
                List.of("[profile p]\nregion = eu-west-1\n", "it has no credentials"),
                List.of("[profile p]\naws_access_key_id = a\n", "only one of aws_access_key_id"),
                List.of("[profile p]\n" + role, "needs one of source_profile"),
                List.of("[profile p]\nsource_profile = q\n" + role, "no profile q", "source_profile of p"),
                List.of("[profile p]\nmfa_serial = m\nsource_profile = q\n" + role, "mfa_serial"),
                List.of("[profile p]\ncredential_source = Vault\n" + role, "credential_source is Vault"),
                List.of("[profile p]\nlogin_session = x\n", "login_session"),
                List.of(
                        "[profile p]\nsource_profile = q\n" + role + "[profile q]\nsource_profile = p\n" + role,
                        "lead back to it: p -> q"))) {
            process.config(each.get(0));
            assertFails(each.subList(1, each.size()).toArray(String[]::new));
        }
    }

    @Test
    void aFileThatASettingNamesHasToBeThere() {
        process.set("aws.sharedCredentialsFile", home.resolve("gone").toString());
        assertFails("aws.sharedCredentialsFile names " + home.resolve("gone"));
    }

    @Test
    void aFileThatIsNoConfigurationIsNotPassedOver() throws IOException {
        process.config("[default\nthis is none\n");
        assertFails(home.resolve("config").toString(), "cannot be read");
    }

    @Test
    void aProfileThatHasOnlyARegionAsksForNothing() throws IOException {
        process.config("[default]\nregion = eu-west-1\n");
        try (AskedCredentials credentials = process.credentials()) {
            assertThat(credentials.source().name()).isEqualTo("the role of this machine");
        }
    }
}
