// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.auth;

/**
 * A request whose signature is right.
 *
 * @param user of the access key
 * @param payload the way in which the signature covers the body
 * @param signing the key that signs chunks
 * @param time of the signature, as the request has it
 * @param signature the seed of the signatures of chunks
 */
public record Authenticated(String user, Payload payload, SigningKey signing, String time, String signature) {}
