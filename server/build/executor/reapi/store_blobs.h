// SPDX-License-Identifier: Apache-2.0
// The store as the remote execution module sees it. Apart from reapi.h because the module itself has no store. Any
// thread.
#pragma once

#include "server/build/executor/reapi/reapi.h"

#include <memory>
#include <utility>

namespace placid::server {

class StoreBlobs final : public ReapiBlobs {
public:
  explicit StoreBlobs(Store &store) : store_(store) {}
  StoreResult<std::string> get(const Digest &digest) override { return store_.get(digest); }
  StoreResult<Digest> put(std::string_view bytes) override { return store_.put(bytes); }
  StoreResult<std::unique_ptr<ReapiReader>> open(const Digest &digest) override {
    StoreResult<std::unique_ptr<Store::Reader>> reader = store_.open(digest);
    if (!reader) {
      return reader.error();
    }
    return std::unique_ptr<ReapiReader>(std::make_unique<Reader>(std::move(*reader)));
  }
  StoreResult<std::unique_ptr<ReapiWriter>> begin(uint64_t size) override {
    StoreResult<std::unique_ptr<Store::Writer>> writer = store_.begin(size);
    if (!writer) {
      return writer.error();
    }
    return std::unique_ptr<ReapiWriter>(std::make_unique<Writer>(std::move(*writer)));
  }

private:
  class Reader final : public ReapiReader {
  public:
    explicit Reader(std::unique_ptr<Store::Reader> reader) : reader_(std::move(reader)) {}
    uint64_t size() const override { return reader_->size(); }
    StoreResult<std::string> read(uint64_t offset, size_t most) override { return reader_->read(offset, most); }

  private:
    std::unique_ptr<Store::Reader> reader_;
  };
  class Writer final : public ReapiWriter {
  public:
    explicit Writer(std::unique_ptr<Store::Writer> writer) : writer_(std::move(writer)) {}
    bool add(std::string_view bytes) override { return writer_->add(bytes); }
    uint64_t size() const override { return writer_->size(); }
    Digest digest() override { return writer_->digest(); }
    StoreResult<Digest> keep() override { return writer_->keep(); }

  private:
    std::unique_ptr<Store::Writer> writer_;
  };

  Store &store_;
};

} // namespace placid::server
