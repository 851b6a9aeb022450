// SPDX-License-Identifier: Apache-2.0
package io.packing.store.credentials;

import io.packing.store.credentials.AwsSettings.Given;
import io.packing.store.credentials.Source.Kind;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.ContainerCredentialsProvider;
import software.amazon.awssdk.auth.credentials.InstanceProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.auth.StsWebIdentityTokenFileCredentialsProvider;

/**
 * AWS's default chain of credentials, without its silent fall through. The first source in the SDK's order for which the
 * process has a setting is the one that was asked for. If it gives nothing, that is an error; the SDK's own chain goes on to
 * the next source, and so may act as the machine instead of as the role of a pod.
 */
public final class CredentialChain {
    private static final String SESSION = "packing";

    private final AwsSettings settings;
    private final TokenService service;
    private final Clock clock;

    public CredentialChain(AwsSettings settings, TokenService service, Clock clock) {
        this.settings = settings;
        this.service = service;
        this.clock = clock;
    }

    /**
     * Returns the credentials that were asked for. Only settings and files are read; no service is called.
     *
     * @throws CredentialsException when a setting is half-given, or leads nowhere
     */
    public AskedCredentials open() {
        return keys(settings.properties(), Kind.PROPERTIES, "Java's properties", AwsSetting::property)
                .or(() -> keys(settings.environment(), Kind.ENVIRONMENT, "the environment", AwsSetting::variable))
                .or(this::webIdentity)
                .or(() -> new ProfileChain(settings, service, this, clock).open())
                .or(this::container)
                .orElseGet(this::machine);
    }

    /** The name of a setting in one of its two places. */
    private interface Naming {
        String of(AwsSetting setting);
    }

    /** Returns the keys of the environment, which a profile may ask for. */
    Optional<AskedCredentials> environment() {
        return keys(settings.environment(), Kind.ENVIRONMENT, "the environment", AwsSetting::variable);
    }

    private static Optional<AskedCredentials> keys(Map<String, String> all, Kind kind, String where, Naming naming) {
        String accessName = naming.of(AwsSetting.ACCESS_KEY);
        String secretName = naming.of(AwsSetting.SECRET_KEY);
        String tokenName = naming.of(AwsSetting.SESSION_TOKEN);
        String access = all.getOrDefault(accessName, "").strip();
        String secret = all.getOrDefault(secretName, "").strip();
        String token = all.getOrDefault(tokenName, "").strip();
        if (access.isEmpty() && secret.isEmpty() && token.isEmpty()) {
            return Optional.empty();
        }
        if (access.isEmpty() || secret.isEmpty()) {
            throw new CredentialsException(
                    "credentials: %s has %s without %s. Next: set both, or neither of %s, %s and %s"
                            .formatted(
                                    where,
                                    access.isEmpty() ? (secret.isEmpty() ? tokenName : secretName) : accessName,
                                    access.isEmpty() ? accessName : secretName,
                                    accessName,
                                    secretName,
                                    tokenName));
        }
        Source source = new Source(
                kind, "the keys of " + where, accessName + " and " + secretName, "renew or correct these keys");
        return Optional.of(new AskedCredentials(
                source,
                StaticCredentialsProvider.create(
                        token.isEmpty()
                                ? AwsBasicCredentials.create(access, secret)
                                : AwsSessionCredentials.create(access, secret, token)),
                List.of()));
    }

    private Optional<AskedCredentials> webIdentity() {
        Optional<Given> role = settings.find(AwsSetting.ROLE_ARN);
        Optional<Given> file = settings.find(AwsSetting.TOKEN_FILE);
        if (role.isEmpty() && file.isEmpty()) {
            return Optional.empty();
        }
        if (role.isEmpty() || file.isEmpty()) {
            throw new CredentialsException(
                    "credentials: %s is set without %s. Next: set both, as a pod with a role has them, or neither"
                            .formatted(
                                    role.or(() -> file).orElseThrow().name(),
                                    role.isEmpty()
                                            ? AwsSetting.ROLE_ARN.variable()
                                            : AwsSetting.TOKEN_FILE.variable()));
        }
        return Optional.of(ofToken(
                Kind.WEB_IDENTITY,
                role.get().name() + " and " + file.get().name(),
                role.get().value(),
                Path.of(file.get().value()),
                sessionName()));
    }

    String sessionName() {
        return settings.find(AwsSetting.SESSION_NAME).map(Given::value).orElse(SESSION);
    }

    /** Returns the role that the identity in a file becomes. The file is read anew for each renewal. */
    AskedCredentials ofToken(Kind kind, String askedBy, String role, Path token, String session) {
        Source source = new Source(
                kind,
                "the role " + role,
                askedBy,
                "look whether %s is a token of this pod, and whether the role's trust policy has its service account"
                        .formatted(token));
        StsClient client = service.client();
        return new AskedCredentials(
                source,
                StsWebIdentityTokenFileCredentialsProvider.builder()
                        .stsClient(client)
                        .roleArn(role)
                        .roleSessionName(session)
                        .webIdentityTokenFile(token)
                        .build(),
                List.of(client));
    }

    /** Returns the credentials that a container or a pod has by HTTP; empty when no setting asks for them. */
    Optional<AskedCredentials> container() {
        List<Given> asked = new ArrayList<>();
        settings.find(AwsSetting.CONTAINER_PATH).ifPresent(asked::add);
        settings.find(AwsSetting.CONTAINER_URI).ifPresent(asked::add);
        if (asked.isEmpty()) {
            settings.find(AwsSetting.CONTAINER_TOKEN_FILE)
                    .or(() -> settings.find(AwsSetting.CONTAINER_TOKEN))
                    .ifPresent(token -> {
                        throw new CredentialsException(
                                "credentials: %s is set without %s. Next: set both, as EKS Pod Identity does, or neither"
                                        .formatted(token.name(), AwsSetting.CONTAINER_URI.variable()));
                    });
            return Optional.empty();
        }
        Given first = asked.get(0);
        Source source = new Source(
                Kind.CONTAINER,
                "the role of this container at " + first.value(),
                first.name(),
                "look whether the task or the pod has a role, and the agent runs");
        return Optional.of(new AskedCredentials(
                source, ContainerCredentialsProvider.builder().build(), List.of()));
    }

    /** Returns the credentials of the machine's role. No setting asks for them. */
    AskedCredentials machine() {
        Source source = new Source(
                Kind.MACHINE,
                "the role of this machine",
                "no setting, since no other source has one",
                "set PACKING_S3_ACCESS_KEY and PACKING_S3_SECRET_KEY in the environment, have keys or a role where AWS's tools"
                        + " look, such as ~/.aws, or give the machine a role");
        Optional<Given> off =
                settings.find(AwsSetting.NO_METADATA).filter(found -> Boolean.parseBoolean(found.value()));
        AwsCredentialsProvider provider = off.isPresent()
                ? () -> {
                    throw new IllegalStateException(
                            "%s is %s".formatted(off.get().name(), off.get().value()));
                }
                : InstanceProfileCredentialsProvider.builder().build();
        return new AskedCredentials(source, provider, List.of());
    }
}
