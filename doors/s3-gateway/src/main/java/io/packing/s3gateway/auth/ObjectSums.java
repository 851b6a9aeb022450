// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.auth;

import java.util.Optional;

/**
 * The checksums of the bytes of a body.
 *
 * @param md5 in hexadecimal digits
 * @param algorithm of the checksum that the client asked for; empty: it asked for none
 * @param value of that checksum in base64
 */
public record ObjectSums(String md5, Optional<ChecksumAlgorithm> algorithm, String value) {}
