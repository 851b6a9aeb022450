// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;

/**
 * Credentials from AWS's token service, as in pods with a role and for profiles with one. The SDK finds the code for
 * that by reflection: without the modules a process ends with "no credentials found" and makes no call.
 */
@Timeout(60)
class AssumedRoleTest {
    private static final String ANSWER = """
            <%1$sResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><%1$sResult><Credentials>
            <AccessKeyId>ASIAOFROLE</AccessKeyId><SecretAccessKey>secret</SecretAccessKey>
            <SessionToken>session</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration>
            </Credentials></%1$sResult></%1$sResponse>
            """;

    @TempDir
    private Path home;

    private HttpServer service;
    private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    private final Map<String, @Nullable String> before = new HashMap<>();

    @BeforeEach
    void start() throws IOException {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/", this::answer);
        service.start();
        set("aws.endpointUrlSts", "http://127.0.0.1:" + service.getAddress().getPort());
        set("aws.region", "eu-central-1");
        set("aws.configFile", home.resolve("config").toString());
        set("aws.sharedCredentialsFile", home.resolve("credentials").toString());
        set("aws.disableEc2Metadata", "true");
    }

    @AfterEach
    void stop() {
        service.stop(0);
        before.forEach((key, value) -> {
            if (value == null) {
                System.clearProperty(key);
            } else {
                System.setProperty(key, value);
            }
        });
    }

    private void set(String key, String value) {
        before.put(key, System.setProperty(key, value));
    }

    private void answer(HttpExchange exchange) throws IOException {
        String call = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        calls.add(call);
        String action = call.contains("Action=AssumeRoleWithWebIdentity") ? "AssumeRoleWithWebIdentity" : "AssumeRole";
        byte[] answer = ANSWER.formatted(action).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "text/xml");
        exchange.sendResponseHeaders(200, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    private static void assertIsOfRole() {
        assertThat(S3Clients.credentials(StoreOptions.from(Map.of("packing.store", "s3://bucket/prefix")))
                        .resolveCredentials())
                .isInstanceOfSatisfying(AwsSessionCredentials.class, found -> {
                    assertThat(found.accessKeyId()).isEqualTo("ASIAOFROLE");
                    assertThat(found.sessionToken()).isEqualTo("session");
                });
    }

    @Test
    void aPodsIdentityBecomesItsRole() throws IOException {
        Path token = Files.writeString(home.resolve("token"), "token-of-the-pod");
        set("aws.roleArn", "arn:aws:iam::123456789012:role/packing");
        set("aws.webIdentityTokenFile", token.toString());
        set("aws.roleSessionName", "test");
        assertIsOfRole();
        assertThat(calls).singleElement().asString().contains("token-of-the-pod", "role%2Fpacking");
    }

    @Test
    void aProfilesRoleIsAssumed() throws IOException {
        Files.writeString(home.resolve("config"), """
                [default]
                role_arn = arn:aws:iam::123456789012:role/packing
                source_profile = base
                [profile base]
                aws_access_key_id = a
                aws_secret_access_key = s
                """);
        assertIsOfRole();
        assertThat(calls).singleElement().asString().contains("Action=AssumeRole", "role%2Fpacking");
    }

    @Test
    void aProfileThatSignsInOnceAsksForTheLogin() throws IOException {
        Files.writeString(home.resolve("config"), """
                [default]
                sso_start_url = http://127.0.0.1/start
                sso_region = eu-central-1
                sso_account_id = 123456789012
                sso_role_name = packing
                """);
        assertThatThrownBy(() -> S3Clients.credentials(StoreOptions.from(Map.of("packing.store", "s3://bucket/prefix")))
                        .resolveCredentials())
                .hasMessageContaining("aws sso login")
                .hasMessageNotContaining("class path");
    }
}
