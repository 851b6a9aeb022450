// SPDX-License-Identifier: Apache-2.0
package io.packing.store.credentials;

/** A setting of AWS's SDK: a property of Java, or else a variable of the environment. */
enum AwsSetting {
    ACCESS_KEY("aws.accessKeyId", "AWS_ACCESS_KEY_ID"),
    SECRET_KEY("aws.secretAccessKey", "AWS_SECRET_ACCESS_KEY"),
    SESSION_TOKEN("aws.sessionToken", "AWS_SESSION_TOKEN"),
    ROLE_ARN("aws.roleArn", "AWS_ROLE_ARN"),
    TOKEN_FILE("aws.webIdentityTokenFile", "AWS_WEB_IDENTITY_TOKEN_FILE"),
    SESSION_NAME("aws.roleSessionName", "AWS_ROLE_SESSION_NAME"),
    PROFILE("aws.profile", "AWS_PROFILE"),
    CONFIG_FILE("aws.configFile", "AWS_CONFIG_FILE"),
    CREDENTIALS_FILE("aws.sharedCredentialsFile", "AWS_SHARED_CREDENTIALS_FILE"),
    CONTAINER_PATH("aws.containerCredentialsPath", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"),
    CONTAINER_URI("aws.containerCredentialsFullUri", "AWS_CONTAINER_CREDENTIALS_FULL_URI"),
    CONTAINER_TOKEN("aws.containerAuthorizationToken", "AWS_CONTAINER_AUTHORIZATION_TOKEN"),
    CONTAINER_TOKEN_FILE("aws.containerAuthorizationTokenFile", "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"),
    NO_METADATA("aws.disableEc2Metadata", "AWS_EC2_METADATA_DISABLED"),
    REGION("aws.region", "AWS_REGION"),
    S3_ENDPOINT("aws.endpointUrlS3", "AWS_ENDPOINT_URL_S3"),
    ENDPOINT("aws.endpointUrl", "AWS_ENDPOINT_URL");

    private final String property;
    private final String variable;

    AwsSetting(String property, String variable) {
        this.property = property;
        this.variable = variable;
    }

    String property() {
        return property;
    }

    String variable() {
        return variable;
    }
}
