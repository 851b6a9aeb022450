// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.protocol;

/** The error codes that the gateway answers, with their HTTP status. */
public enum S3Code {
    ACCESS_DENIED("AccessDenied", 403),
    AUTHORIZATION_HEADER_MALFORMED("AuthorizationHeaderMalformed", 400),
    AUTHORIZATION_QUERY_PARAMETERS_ERROR("AuthorizationQueryParametersError", 400),
    BAD_DIGEST("BadDigest", 400),
    BUCKET_ALREADY_EXISTS("BucketAlreadyExists", 409),
    BUCKET_ALREADY_OWNED_BY_YOU("BucketAlreadyOwnedByYou", 409),
    BUCKET_NOT_EMPTY("BucketNotEmpty", 409),
    CONDITIONAL_REQUEST_CONFLICT("ConditionalRequestConflict", 409),
    ENTITY_TOO_LARGE("EntityTooLarge", 400),
    ENTITY_TOO_SMALL("EntityTooSmall", 400),
    INCOMPLETE_BODY("IncompleteBody", 400),
    INTERNAL_ERROR("InternalError", 500),
    INVALID_ACCESS_KEY_ID("InvalidAccessKeyId", 403),
    INVALID_ARGUMENT("InvalidArgument", 400),
    INVALID_BUCKET_NAME("InvalidBucketName", 400),
    INVALID_DIGEST("InvalidDigest", 400),
    INVALID_OBJECT_STATE("InvalidObjectState", 403),
    INVALID_PART("InvalidPart", 400),
    INVALID_PART_ORDER("InvalidPartOrder", 400),
    INVALID_RANGE("InvalidRange", 416),
    INVALID_REQUEST("InvalidRequest", 400),
    INVALID_TAG("InvalidTag", 400),
    INVALID_URI("InvalidURI", 400),
    KEY_TOO_LONG("KeyTooLongError", 400),
    MALFORMED_XML("MalformedXML", 400),
    METADATA_TOO_LARGE("MetadataTooLarge", 400),
    METHOD_NOT_ALLOWED("MethodNotAllowed", 405),
    MISSING_CONTENT_LENGTH("MissingContentLength", 411),
    NO_SUCH_BUCKET("NoSuchBucket", 404),
    NO_SUCH_BUCKET_POLICY("NoSuchBucketPolicy", 404),
    NO_SUCH_CORS_CONFIGURATION("NoSuchCORSConfiguration", 404),
    NO_SUCH_KEY("NoSuchKey", 404),
    NO_SUCH_LIFECYCLE_CONFIGURATION("NoSuchLifecycleConfiguration", 404),
    NO_SUCH_TAG_SET("NoSuchTagSet", 404),
    NO_SUCH_UPLOAD("NoSuchUpload", 404),
    NO_SUCH_WEBSITE_CONFIGURATION("NoSuchWebsiteConfiguration", 404),
    NOT_IMPLEMENTED("NotImplemented", 501),
    NOT_MODIFIED("NotModified", 304),
    OBJECT_LOCK_CONFIGURATION_NOT_FOUND("ObjectLockConfigurationNotFoundError", 404),
    PRECONDITION_FAILED("PreconditionFailed", 412),
    QUOTA_EXCEEDED("QuotaExceeded", 403),
    REQUEST_TIME_TOO_SKEWED("RequestTimeTooSkewed", 403),
    SERVICE_UNAVAILABLE("ServiceUnavailable", 503),
    SERVER_SIDE_ENCRYPTION_CONFIGURATION_NOT_FOUND("ServerSideEncryptionConfigurationNotFoundError", 404),
    SIGNATURE_DOES_NOT_MATCH("SignatureDoesNotMatch", 403),
    SLOW_DOWN("SlowDown", 503),
    CONTENT_SHA256_MISMATCH("XAmzContentSHA256Mismatch", 400);

    private final String text;
    private final int status;

    S3Code(String text, int status) {
        this.text = text;
        this.status = status;
    }

    /** Returns the code as the protocol spells it. */
    public String text() {
        return text;
    }

    public int status() {
        return status;
    }
}
